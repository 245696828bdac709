#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::sqlite {

/// Whether one of the tables of another program's database has a row. Changes nothing, and waits
/// for nobody. kNotFound: no database, or one without these tables. Other errors: the program is
/// writing at the moment, or ended in the middle. Never throws.
[[nodiscard]] Expected<bool> AnyRows(const std::string& path,
                                     const std::vector<std::string>& tables);

}  // namespace bindery::sqlite
