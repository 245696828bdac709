#pragma once

#include <string>

#include "core/json.h"

namespace bindery::report {

/// A relative URI reference: SARIF wants percent-encoded paths with forward slashes.
[[nodiscard]] std::string UriOf(const std::string& file);

/// A SARIF 2.1.0 log with one run of bindery. `version` may be empty.
[[nodiscard]] Json SarifLog(Json rules, Json results, const std::string& version);

}  // namespace bindery::report
