#pragma once

#include <string>
#include <vector>

#include "core/access/target.h"
#include "core/base/expected.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The targets of a word: a target's full name, the part of the name from locations/ on in the
/// default project, the name of a resource, or a unique ending of a name; with a "*" all matching
/// names. Otherwise several only if one name has a meaning in several providers. kNotFound names
/// the nearest target, kInvalidArgument the targets with the same ending. `default_project` may be
/// empty.
[[nodiscard]] Expected<std::vector<Target>> FindTargets(const store::ReportReader& store,
                                                        const std::vector<const Target*>& observed,
                                                        const std::string& word,
                                                        const std::string& default_project);

}  // namespace bindery::report
