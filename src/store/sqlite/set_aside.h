#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::store {

/// A name that is free: "<path>.<word>-20261121T102030Z".
[[nodiscard]] std::string NameAside(const std::string& path, std::string_view word, WallTime now);

/// Moves a database with its -wal and -shm to the name, so that the content is kept for inspection.
/// Returns the name.
[[nodiscard]] Expected<std::string> SetAside(const std::string& path, std::string_view word,
                                             WallTime now);

}  // namespace bindery::store
