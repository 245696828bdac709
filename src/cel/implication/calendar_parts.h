#pragma once

// Private to src/cel/implication: getters of request.time.

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "cel/expiry/time_bounds.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// `request.time.getHours("Europe/Berlin")`.
struct CalendarPart {
  std::string getter;
  std::string zone;
  std::int64_t least = 0;  ///< Of all values.
  std::int64_t most = 0;
};

/// The part that an expression is, in a zone that exists; nothing for any other expression.
[[nodiscard]] std::optional<CalendarPart> CalendarPartIn(const Expr& expr);

/// All values of the part in a range of time. Nothing: the range is too long for the part to leave
/// out a value.
[[nodiscard]] std::optional<std::set<std::int64_t>> ValuesWithin(const CalendarPart& part,
                                                                 const TimeRange& range);

}  // namespace bindery::cel
