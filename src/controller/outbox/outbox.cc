#include "controller/outbox/outbox.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bindery::controller {

void Outbox::Record(store::StoreChange change) {
  if (change.empty()) return;
  for (const Event& event : change.events) observer_.Happened(event);
  ++recorded_;
  actions_.changes.push_back(std::move(change));
}

void Outbox::Record(Event event) {
  store::StoreChange change;
  change.events.push_back(std::move(event));
  Record(std::move(change));
}

void Outbox::SetInterval(MonoTime::duration interval) {
  touches_wait_ = std::clamp<MonoTime::duration>(interval / 20, std::chrono::seconds(1),
                                                 std::chrono::seconds(30));
}

void Outbox::Touch(const TargetKey& target, WallTime read, MonoTime now) {
  // The time of the first reading, so that no reading is recorded later than it took place.
  if (touched_.touch_targets.empty()) {
    touches_due_ = now + touches_wait_;
    touched_.touched_at = read;
  }
  touched_.touched_at = std::min(touched_.touched_at, read);
  touched_.touch_targets.push_back(target);
}

void Outbox::FlushTouches(const Now& now) {
  constexpr std::size_t kMost = 4096;
  if (now.mono >= touches_due_ || touched_.touch_targets.size() >= kMost) RecordTouches();
}

void Outbox::RecordTouches() {
  if (!touched_.touch_targets.empty()) actions_.changes.push_back(std::exchange(touched_, {}));
}

std::optional<MonoTime> Outbox::TouchesDue() const {
  return touched_.touch_targets.empty() ? std::nullopt : std::optional(touches_due_);
}

EngineActions Outbox::Take() { return std::exchange(actions_, {}); }

Outbox::Records Outbox::TakeRecords() {
  RecordTouches();
  EngineActions all = Take();
  Records records;
  records.actions.changes = std::move(all.changes);
  records.actions.replies = std::move(all.replies);
  records.dropped_tasks = all.checks.size() + all.writes.size();
  return records;
}

}  // namespace bindery::controller
