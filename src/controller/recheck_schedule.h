#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "controller/backoff.h"
#include "controller/claims.h"
#include "controller/now.h"
#include "controller/recheck_plan.h"
#include "controller/work_queue.h"

namespace bindery {

/// A check that begins later than this is no check in its turn.
inline constexpr std::chrono::seconds kInTurn{5};

/// Says when a target is read next: after its period, or after a failure.
///
/// Invariants: what fails again and again never comes before what may well succeed.
/// Deterministic for a given seed. Belongs to the loop thread. Reads no clock: callers pass the
/// time.
class RecheckSchedule {
 public:
  explicit RecheckSchedule(std::uint64_t seed) : backoff_(seed) {}

  /// `jitter`: as EngineSettings::jitter. Plans again at the next Plan.
  void SetSettings(const RecheckLimits& limits, double jitter);
  /// From now on nothing that is in order is read again by the clock: for `run --once`.
  void EndRechecks() { rechecks_ = false; }
  [[nodiscard]] bool rechecks() const { return rechecks_; }

  /// Makes the plan again now and then: targets come, go and change their habits. Returns the event
  /// that tells of a budget that has become too small.
  [[nodiscard]] std::optional<Event> Plan(const Claims::Targets& targets, const Now& now);
  [[nodiscard]] const RecheckPlan& plan() const { return plan_; }
  /// The period of a target: what its manifests set, else that of the plan.
  [[nodiscard]] std::chrono::milliseconds PeriodOf(const TargetEntry& target) const;

  struct Turn {
    Priority priority = Priority::kPeriodic;
    MonoTime due;
    bool retry = false;
  };
  /// After work on a target that came to `error`; null: it succeeded. `in_turn`: it was a re-check
  /// that began when it was due. Nothing: it is not read again by the clock.
  [[nodiscard]] std::optional<Turn> NextTurn(const TargetEntry& target, const Error* error,
                                             bool in_turn, const Now& now);
  /// How long to wait after a write that another writer contested, as often in a row as `failures`
  /// says.
  [[nodiscard]] std::chrono::milliseconds AfterContest(int failures) {
    return backoff_.AfterFailure(failures + 1);
  }

 private:
  [[nodiscard]] std::optional<std::chrono::milliseconds> FixedPeriodOf(
      const TargetEntry& target) const;
  [[nodiscard]] std::chrono::milliseconds WaitAfter(const Error& error, int failures);

  Backoff backoff_;
  RecheckPlan plan_;
  std::chrono::milliseconds interval_{0};
  double jitter_ = 0;
  bool rechecks_ = true;
  std::optional<MonoTime> planned_;
  std::size_t targets_planned_ = 0;
};

/// Counts how often the target drifts by itself: what a re-check in its turn found, where there was
/// nothing before.
void NoteHabit(TargetEntry& target, Priority priority, bool drifted, const Now& now);

}  // namespace bindery
