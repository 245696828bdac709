#pragma once

#include <string>

#include "core/json.h"
#include "report/text.h"

namespace bindery::report {

/// "payments-viewers (teams/payments.yaml:3)", or "undeclared".
[[nodiscard]] std::string SourceText(const Json& row);

/// "ends in 5d3h", "starts in 2h5m", "expired 3d ago", "never in force"; empty without a bound.
[[nodiscard]] std::string TimeBoundsText(const Json& bounds, const TextStyle& style);

}  // namespace bindery::report
