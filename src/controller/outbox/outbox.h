#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "controller/clock/now.h"
#include "controller/outbox/engine_actions.h"
#include "controller/outbox/engine_observer.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Collects what the shell has to do next.
///
/// Invariants: changes come out in the order they were recorded, and none is empty. The observer is
/// told of each event once, when its change is recorded. Belongs to the loop thread; the observer
/// outlives the object.
class Outbox {
 public:
  explicit Outbox(EngineObserver& observer) : observer_(observer) {}

  /// Puts a change on record and tells the observer of its events. An empty change is dropped.
  void Record(store::StoreChange change);
  /// A change with this event only.
  void Record(Event event);
  /// How many changes were put on record, without touches.
  [[nodiscard]] std::uint64_t recorded() const { return recorded_; }
  /// How often targets are checked.
  void SetInterval(MonoTime::duration interval);
  /// Only the time of the target's observation moved. Such changes are collected for a twentieth of
  /// the interval, between 1 and 30 s: a pass over ten thousand targets in sync is a handful of
  /// transactions. After a crash these targets are checked earlier by that much.
  void Touch(const TargetKey& target, const Now& now) { Touch(target, now.wall, now.mono); }
  /// The same for a reading at an earlier time.
  void Touch(const TargetKey& target, WallTime read, MonoTime now);
  /// Records the touches that waited long enough, or all when many wait.
  void FlushTouches(const Now& now);
  void RecordTouches();
  /// When FlushTouches has something to do; nothing: no target was touched.
  [[nodiscard]] std::optional<MonoTime> TouchesDue() const;

  void Check(EngineActions::CheckTask task) { actions_.checks.push_back(std::move(task)); }
  void Write(EngineActions::WriteTask task) { actions_.writes.push_back(std::move(task)); }
  void Lend(LentCheck check) { actions_.lent.push_back(std::move(check)); }
  void Ask(ProjectQuestion question) { actions_.questions.push_back(std::move(question)); }
  void Reply(std::function<void()> reply) { actions_.replies.push_back(std::move(reply)); }

  /// The collected actions.
  [[nodiscard]] EngineActions Take();
  /// What must be recorded or answered at the end of the process, touches included. The tasks are
  /// dropped.
  struct Records {
    EngineActions actions;
    std::size_t dropped_tasks = 0;  ///< Checks and writes.
  };
  [[nodiscard]] Records TakeRecords();

 private:
  EngineObserver& observer_;
  EngineActions actions_;
  std::uint64_t recorded_ = 0;
  store::StoreChange touched_;  ///< Targets that were read and are as before, not yet on record.
  MonoTime touches_due_;
  MonoTime::duration touches_wait_ = std::chrono::seconds(1);
};

}  // namespace bindery::controller
