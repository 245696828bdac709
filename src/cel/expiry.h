#pragma once

#include <optional>

#include "cel/ast.h"
#include "cel/finding.h"
#include "cel/time.h"

namespace bindery::cel {

/// A warning when the condition can hold at no time from `now` on, but could before.
[[nodiscard]] std::optional<Finding> ExpiredFinding(const Expr& condition, Timestamp now);

}  // namespace bindery::cel
