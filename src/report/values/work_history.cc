#include "report/values/work_history.h"

#include <algorithm>
#include <utility>

namespace bindery::report {
namespace {

void AddHour(HistorySpan& span, const store::HourRecord& hour) {
  Widen(span.open, hour.open);
  Widen(span.undeclared, hour.undeclared);
  span.found += hour.found;
  span.writes += hour.writes;
  span.errors += hour.errors;
  span.calls += hour.calls;
}

/// Days begin at midnight UTC, as WallTime counts from one.
WallTime FloorToStep(WallTime time, std::chrono::hours step) {
  const auto since = std::chrono::floor<std::chrono::hours>(time.time_since_epoch());
  return WallTime(since - since % step);
}

std::int64_t GetFigure(const HistorySpan& span, HistoryOrder order) {
  switch (order) {
    case HistoryOrder::kOpen:
      return span.open.most;
    case HistoryOrder::kUndeclared:
      return span.undeclared.most;
    case HistoryOrder::kFound:
      return span.found;
    case HistoryOrder::kWrites:
      return span.writes;
    case HistoryOrder::kErrors:
      return span.errors;
    case HistoryOrder::kCalls:
      return span.calls;
    case HistoryOrder::kTime:
      break;
  }
  return 0;
}

}  // namespace

void Widen(store::HourRange& range, const store::HourRange& hour) {
  range = {std::min(range.least, hour.least), std::max(range.most, hour.most), hour.last};
}

Expected<WorkHistory> ReadWorkHistory(const store::HourStore& store, const HistoryRange& range,
                                      WallTime now) {
  WorkHistory history;
  history.generated_at = now;
  history.range = range.name;
  history.from = FloorToStep(now, range.step) - (range.count - 1) * range.step;
  history.step_seconds = std::chrono::seconds(range.step).count();
  history.count = range.count;
  const auto hours = store.Hours(history.from, now);
  if (!hours) return Fail(hours.error());
  for (const store::HourRecord& hour : *hours) {
    const WallTime begin = FloorToStep(hour.hour, range.step);
    if (history.spans.empty() || history.spans.back().time != begin) {
      history.spans.push_back({begin, hour.open, hour.undeclared});
    }
    AddHour(history.spans.back(), hour);
  }
  return history;
}

void SortSpans(WorkHistory& history, HistoryOrder order, bool descending) {
  if (order == HistoryOrder::kTime) {
    std::ranges::sort(history.spans, [&](const HistorySpan& a, const HistorySpan& b) {
      return descending ? b.time < a.time : a.time < b.time;
    });
    return;
  }
  const auto key = [&](const HistorySpan& span) {
    const std::int64_t figure = GetFigure(span, order);
    return std::pair(descending ? figure : -figure, -span.time.time_since_epoch());
  };
  std::ranges::sort(history.spans,
                    [&](const HistorySpan& a, const HistorySpan& b) { return key(a) < key(b); });
}

}  // namespace bindery::report
