#include "app/observe/hour_tally.h"

#include "report/reports/known_targets.h"

namespace bindery::app {
namespace {

store::HourRange OnlyValue(std::int64_t value) { return {value, value, value}; }

/// Where things stand, with the hour of `now`.
store::HourRecord StandingAt(const controller::Engine& engine, WallTime now) {
  std::int64_t open = 0;
  std::int64_t undeclared = 0;
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    if (!report::CountsAsTarget(*target.target)) continue;
    open += static_cast<std::int64_t>(target.drift.open->size());
    undeclared += target.reading.undeclared;
  }
  store::HourRecord record;
  record.hour = std::chrono::floor<std::chrono::hours>(now);
  record.open = OnlyValue(open);
  record.undeclared = OnlyValue(undeclared);
  return record;
}

}  // namespace

void HourTally::Sample(const controller::Engine& engine, const controller::Now& now,
                       store::HourStore& store) {
  if (next_ && now.mono < *next_) return;
  next_ = now.mono + kPeriod;
  Finish(engine, now, store);
}

void HourTally::Finish(const controller::Engine& engine, const controller::Now& now,
                       store::HourStore& store) {
  const store::HourRecord standing = StandingAt(engine, now.wall);
  const std::int64_t calls = calls_.exchange(0, std::memory_order_relaxed);
  const bool counted = more_.found + more_.writes + more_.errors + calls > 0;
  if (!counted && told_ == standing) return;
  told_ = standing;
  store::HourRecord record = standing;
  record.found = more_.found;
  record.writes = more_.writes;
  record.errors = more_.errors;
  record.calls = calls;
  more_ = {};
  store.AddToHour(record);
}

}  // namespace bindery::app
