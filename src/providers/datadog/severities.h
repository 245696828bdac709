#pragma once

#include "core/settings/severity_rules.h"

namespace bindery::datadog {

/// How bad it is when somebody has more than is declared: weak relations only look or run.
/// docs/drift.md shows them.
[[nodiscard]] const GrantSeverities& RestrictionSeverities();

}  // namespace bindery::datadog
