#pragma once

#include <optional>
#include <string>

#include "report/codec/source_line.h"
#include "report/codec/time_bounds.h"
#include "report/text/text.h"

namespace bindery::report {

/// "payments-viewers (teams/payments.yaml:3)", or "undeclared".
[[nodiscard]] std::string SourceText(const std::optional<DeclaringManifest>& source);

/// "ends in 5d3h", "starts in 2h5m", "expired 3d ago", "never in force"; empty without a bound.
[[nodiscard]] std::string TimeBoundsText(const std::optional<TimeBounds>& bounds,
                                         const TextStyle& style);

}  // namespace bindery::report
