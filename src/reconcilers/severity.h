#pragma once

#include "core/drift.h"

namespace bindery {

/// How bad a difference in an IAM policy is. What widens access beyond the directory is worse than
/// what narrows it; the public and owner-like roles are worst. docs/drift.md has the table.
[[nodiscard]] Severity IamSeverity(DriftClass drift_class, const Grant& grant);

/// The same for a restriction policy: what lets more people change the resource is worst.
[[nodiscard]] Severity RestrictionSeverity(DriftClass drift_class, const Grant& grant);

}  // namespace bindery
