#include "cel/expiry/expiry.h"

#include "cel/expiry/time_effect.h"

namespace bindery::cel {

std::optional<Finding> ExpiredFinding(const Expr& condition, Timestamp now) {
  const TimeSet can_hold = FindTimeEffect(condition).can_hold;
  if (can_hold.IsNone() || !can_hold.And(TimeSet::Between(now, TimeSet::End())).IsNone()) {
    return std::nullopt;
  }
  return Finding{"DateTimeCheck",
                 Severity::kWarning,
                 condition.begin,
                 "the condition is expired: it holds for no time after " +
                     ToString(can_hold.intervals().back().end),
                 {}};
}

}  // namespace bindery::cel
