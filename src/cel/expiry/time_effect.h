#pragma once

#include <functional>

#include "cel/expiry/time_set.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The validity of a condition by its comparisons of request.time. Everything else is assumed to be
/// unknown, so that `can_hold` never leaves out a possible moment.
struct TimeEffect {
  TimeSet can_hold = TimeSet::All();
  TimeSet can_fail = TimeSet::All();
  int comparisons = 0;    ///< Of request.time with a fixed time.
  bool only_time = true;  ///< Nothing else decides.
};

[[nodiscard]] TimeEffect FindTimeEffect(const Expr& condition);

/// A part of a condition and its effect.
using TimePartVisitor = std::function<void(const Expr& part, const TimeEffect& effect)>;

/// The largest parts that only time decides; the whole condition, if possible.
void VisitTimeParts(const Expr& condition, const TimePartVisitor& visit);

}  // namespace bindery::cel
