#pragma once

#include <optional>
#include <vector>

#include "cel/ast.h"
#include "cel/finding.h"
#include "cel/iam_checker.h"

namespace bindery::cel {

/// What is said of a condition whose types are right. Without excerpts.
[[nodiscard]] std::vector<Finding> LintCondition(const Expr& condition,
                                                 const CheckContext& context);

/// A warning when the condition can hold at no time from `now` on, but could before.
[[nodiscard]] std::optional<Finding> ExpiredFinding(const Expr& condition, Timestamp now);

}  // namespace bindery::cel
