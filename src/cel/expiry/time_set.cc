#include "cel/expiry/time_set.h"

#include <algorithm>
#include <limits>

namespace bindery::cel {

Timestamp TimeSet::Beginning() { return {std::numeric_limits<std::int64_t>::min(), 0}; }
Timestamp TimeSet::End() { return {std::numeric_limits<std::int64_t>::max(), 0}; }

TimeSet TimeSet::Between(Timestamp begin, Timestamp end) {
  TimeSet set;
  if (begin < end) set.intervals_.push_back({begin, end});
  return set;
}

bool TimeSet::Contains(Timestamp time) const {
  return std::any_of(intervals_.begin(), intervals_.end(), [&](const Interval& interval) {
    return interval.begin <= time && time < interval.end;
  });
}

TimeSet TimeSet::And(const TimeSet& other) const {
  TimeSet set;
  auto one = intervals_.begin();
  auto two = other.intervals_.begin();
  while (one != intervals_.end() && two != other.intervals_.end()) {
    const Timestamp begin = std::max(one->begin, two->begin);
    const Timestamp end = std::min(one->end, two->end);
    if (begin < end) set.intervals_.push_back({begin, end});
    // The range with the earlier end meets nothing more.
    if (one->end < two->end) {
      ++one;
    } else {
      ++two;
    }
  }
  return set;
}

TimeSet TimeSet::Or(const TimeSet& other) const { return Not().And(other.Not()).Not(); }

TimeSet TimeSet::Not() const {
  TimeSet set;
  Timestamp from = Beginning();
  for (const Interval& interval : intervals_) {
    if (from < interval.begin) set.intervals_.push_back({from, interval.begin});
    from = interval.end;
  }
  if (from < End()) set.intervals_.push_back({from, End()});
  return set;
}

}  // namespace bindery::cel
