#include "cel/expiry/condition_end.h"

#include "cel/expiry/time_bounds.h"
#include "cel/syntax/parser.h"

namespace bindery::cel {

std::optional<WallTime> FindEnd(const Condition& condition) {
  // This test alone excludes nearly all conditions without an end.
  if (condition.expression.find("request.time") == std::string::npos) return std::nullopt;
  const auto tree = Parse(condition.expression);
  if (!tree) return std::nullopt;
  const auto bounds = TimeBounds::Of(**tree);
  const bool ends = !bounds.ranges().empty() && bounds.ranges().back().until.has_value();
  return ends ? std::optional(ToWallTime(*bounds.ranges().back().until)) : std::nullopt;
}

}  // namespace bindery::cel
