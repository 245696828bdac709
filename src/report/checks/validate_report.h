#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/problem.h"
#include "report/values/problem_values.h"

namespace bindery::report {

[[nodiscard]] Validation ValidateReport(std::size_t files, std::size_t manifests,
                                        const std::vector<manifests::Problem>& problems);

}  // namespace bindery::report
