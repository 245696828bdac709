#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/finding.h"
#include "cel/iam_checker.h"

namespace bindery::cel {

/// What is said of a condition whose types are right. Without excerpts.
[[nodiscard]] std::vector<Finding> LintCondition(const Expr& condition,
                                                 const CheckContext& context);

}  // namespace bindery::cel
