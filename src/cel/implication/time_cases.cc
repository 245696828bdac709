#include "cel/implication/time_cases.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace bindery::cel {
namespace {

bool HasAllMoments(const std::vector<TimeRange>& ranges) {
  return ranges.size() == 1 && !ranges.front().from && !ranges.front().until;
}

bool IsWithin(const TimeRange& inner, const TimeRange& outer) {
  const bool begins = !outer.from || (inner.from && *outer.from <= *inner.from);
  const bool ends = !outer.until || (inner.until && *inner.until <= *outer.until);
  return begins && ends;
}

bool IsWithinAny(const TimeRange& inner, const std::vector<TimeRange>& ranges) {
  return std::ranges::any_of(ranges,
                             [&](const TimeRange& range) { return IsWithin(inner, range); });
}

void AddEnds(const std::vector<TimeRange>& ranges, std::set<Timestamp>& ends) {
  for (const TimeRange& range : ranges) {
    if (range.from) ends.insert(*range.from);
    if (range.until) ends.insert(*range.until);
  }
}

}  // namespace

bool IsOfTime(const TimeMoments& test) {
  const bool open = HasAllMoments(test.yes) && HasAllMoments(test.no);
  return !open && !(test.yes.empty() && test.no.empty());
}

std::vector<TimeCase> ListTimeCases(const std::vector<TimeMoments>& tests) {
  std::set<Timestamp> changes;
  for (const TimeMoments& test : tests) {
    AddEnds(test.yes, changes);
    AddEnds(test.no, changes);
  }
  std::vector<TimeCase> cases;
  std::optional<Timestamp> from;
  const auto add = [&](std::optional<Timestamp> until) {
    TimeCase made = {{from, until}, {}};
    for (const TimeMoments& test : tests) {
      const Truth truth = (IsWithinAny(made.range, test.yes) ? kTrue : 0U) |
                          (IsWithinAny(made.range, test.no) ? kFalse : 0U);
      made.truths.push_back(truth == 0 ? kError : truth);
    }
    cases.push_back(std::move(made));
    from = until;
  };
  for (const Timestamp& change : changes) add(change);
  add(std::nullopt);
  return cases;
}

}  // namespace bindery::cel
