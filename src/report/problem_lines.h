#pragma once

#include <string>

#include "core/json.h"
#include "report/text.h"
#include "store/records.h"

namespace bindery::report {

/// A problem of the last load, as reports list it.
[[nodiscard]] Json ProblemJson(const ManifestProblemRecord& problem);

/// "file:line:column: path: message", one line each, and the excerpt below where there is one;
/// warnings say so.
[[nodiscard]] std::string ProblemLines(const Json& problems, const TextStyle& style);

}  // namespace bindery::report
