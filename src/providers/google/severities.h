#pragma once

#include "core/severity_rules.h"

namespace bindery {

/// How bad it is when somebody holds more than is declared: the roles of owners, and grants to
/// everybody. docs/drift.md shows them.
[[nodiscard]] const SeverityRules& IamSeverities();

}  // namespace bindery
