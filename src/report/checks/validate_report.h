#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/problem.h"
#include "report/values/problem_values.h"

namespace bindery {

[[nodiscard]] Validation ValidateReport(std::size_t files, std::size_t manifests,
                                        const std::vector<Problem>& problems);

/// The problems as a SARIF 2.1.0 log, for code scanning. `version` is bindery's; may be empty.
/// `prefix`: as of report::UriOf.
[[nodiscard]] Json ValidateSarif(const std::vector<Problem>& problems,
                                 const std::string& version = "", const std::string& prefix = "");

}  // namespace bindery
