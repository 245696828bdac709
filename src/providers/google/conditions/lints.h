#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/finding.h"
#include "providers/google/conditions/checker.h"

namespace bindery::conditions {

/// The statement of a condition whose types are right. Without excerpts.
[[nodiscard]] std::vector<cel::Finding> LintCondition(const cel::Expr& condition,
                                                      const CheckContext& context);

}  // namespace bindery::conditions
