#pragma once

#include <string>
#include <vector>

#include "core/expected.h"
#include "core/target.h"
#include "store/report_reader.h"

namespace bindery::report {

/// The targets a word means: a target's full name, the part of it from locations/ on in the default
/// project, the name of a resource, or an ending of a name that only one target has; with a
/// "*" all whose names match it. Else several only where one name means something in several
/// providers. kNotFound names the nearest there is,
/// kInvalidArgument those that end alike. `default_project` may be empty.
[[nodiscard]] Expected<std::vector<Target>> FindTargets(const ReportReader& store,
                                                        const std::vector<Target>& observed,
                                                        const std::string& word,
                                                        const std::string& default_project);

}  // namespace bindery::report
