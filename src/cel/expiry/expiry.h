#pragma once

#include <optional>

#include "cel/evaluation/time.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/finding.h"

namespace bindery::cel {

/// A warning when the condition can hold at no time from `now` on, but could before.
[[nodiscard]] std::optional<Finding> ExpiredFinding(const Expr& condition, Timestamp now);

}  // namespace bindery::cel
