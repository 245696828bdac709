#pragma once

#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/finding.h"

namespace bindery::cel {

/// Checks names, functions and types of a condition, all as ConditionCompileCheck: unknown names
/// with the nearest known one, arguments that no form of a function takes, a result that is not a
/// bool. A warning for what only the language is known to have. Without excerpts.
[[nodiscard]] std::vector<Finding> CheckTypes(const Expr& condition);

}  // namespace bindery::cel
