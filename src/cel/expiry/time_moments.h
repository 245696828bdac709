#pragma once

#include <vector>

#include "cel/expiry/time_bounds.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The moments of `request.time` at which a condition can be true, and at which it can be false. At
/// a moment of neither, the condition has no value.
struct TimeMoments {
  std::vector<TimeRange> yes;
  std::vector<TimeRange> no;
};

/// Understands what TimeBounds understands.
[[nodiscard]] TimeMoments ListMoments(const Expr& condition);

}  // namespace bindery::cel
