#pragma once

#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/finding.h"
#include "providers/google/conditions/checker.h"

namespace bindery::google::conditions {

/// The findings about a condition with correct types. Without excerpts.
[[nodiscard]] std::vector<cel::Finding> LintCondition(const cel::Expr& condition,
                                                      const CheckContext& context);

}  // namespace bindery::google::conditions
