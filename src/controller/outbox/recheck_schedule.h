#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "controller/calls/backoff.h"
#include "controller/claims/claims.h"
#include "controller/claims/recheck_plan.h"
#include "controller/clock/now.h"
#include "controller/gates/work_queue.h"
#include "controller/outbox/recheck_hints.h"
#include "core/access/target_key.h"

namespace bindery::controller {

/// A check that begins later is not counted as punctual.
inline constexpr std::chrono::seconds kInTurn{5};

/// Says when a target is read next: after its period, or after a failure.
///
/// Invariants: what fails again and again never comes before what may well succeed. A target whose
/// read is put off, and that scans watch no more, is among TakeEnded() after the next Plan, which
/// comes at once if the hints ended.
/// Deterministic for a given seed. Belongs to the loop thread. Reads no clock: callers pass the
/// time.
class RecheckSchedule {
 public:
  explicit RecheckSchedule(std::uint64_t seed) : backoff_(seed) {}

  /// `exact`, `jitter`: as in EngineSettings. Plans again at the next Plan.
  void SetSettings(const RecheckLimits& limits, std::chrono::milliseconds exact, double jitter);
  /// As RecheckHints::Set. Plans again at the next Plan.
  void SetHints(const HintedTargets& hinted, const Claims::Targets& targets);
  /// As RecheckHints::NoteSeen, for a target whose work is under way.
  void NoteSeen(const TargetEntry& target, std::string_view digest) {
    if (!hints_.empty()) hints_.NoteSeen(target, Sha256Digest::FromHex(digest));
  }
  /// As RecheckHints::Drop, likewise.
  void DropHint(const TargetEntry& target) { hints_.Drop(target); }
  /// Nothing is to be done about the target any more.
  void Forget(const TargetKey& key) { put_off_.erase(key); }
  /// As RecheckHints::Watches.
  [[nodiscard]] bool Watches(const TargetEntry& target, const Now& now) const {
    return hints_.Watches(target, now);
  }
  /// From now on nothing that is in order is read again by the clock: for `run --once`.
  void EndRechecks() { rechecks_ = false; }
  [[nodiscard]] bool rechecks() const { return rechecks_; }

  /// Makes the plan again now and then: targets come, go and change their drift rate. Returns an
  /// event when the budget has become too small.
  [[nodiscard]] std::optional<Event> Plan(const Claims::Targets& targets, const Now& now);
  [[nodiscard]] const RecheckPlan& plan() const { return plan_; }
  /// The period of a target: set by its manifests, otherwise by the plan.
  [[nodiscard]] std::chrono::milliseconds GetPeriod(const TargetEntry& target) const;

  struct Turn {
    Priority priority = Priority::kPeriodic;
    MonoTime due;
    bool retry = false;
  };
  /// After work on a target with the result `error`; null: success. `in_turn`: a re-check that
  /// began when due. Nothing: the clock does not start another read.
  [[nodiscard]] std::optional<Turn> NextTurn(const TargetEntry& target, const Error* error,
                                             bool in_turn, const Now& now);
  /// A re-check that began when due, or later, may be left out, because a scan saw the target as it
  /// was read last: when the next one is due, as long as scans watch the target. Nothing: the
  /// target has to be read.
  [[nodiscard]] std::optional<Turn> PutOff(const TargetEntry& target, bool in_turn, const Now& now);
  /// Targets whose reads were put off, and that scans did not watch at the last Plan: with the time
  /// when each is due, within its period. Each is given once.
  [[nodiscard]] std::vector<std::pair<TargetKey, MonoTime>> TakeEnded() {
    return std::exchange(ended_, {});
  }
  /// Targets that scans watched at the last Plan.
  [[nodiscard]] std::size_t watched() const { return watched_; }
  /// How long to wait after a write that another writer contested, as often in a row as `failures`
  /// says.
  [[nodiscard]] std::chrono::milliseconds AfterContest(int failures) {
    return backoff_.AfterFailure(failures + 1);
  }

 private:
  [[nodiscard]] std::optional<std::chrono::milliseconds> FindFixedPeriod(
      const TargetEntry& target) const;
  [[nodiscard]] std::chrono::milliseconds WaitAfter(const Error& error, int failures);
  [[nodiscard]] std::chrono::milliseconds WaitFor(std::chrono::milliseconds interval, bool in_turn);
  void EndPutOff(const TargetEntry& target, RecheckHints::Watch watch, const Now& now);

  Backoff backoff_;
  RecheckPlan plan_;
  RecheckHints hints_;
  std::chrono::milliseconds interval_{0};
  double jitter_ = 0;
  bool rechecks_ = true;
  std::optional<MonoTime> planned_;
  std::size_t targets_planned_ = 0;
  std::size_t watched_ = 0;
  bool end_all_ = false;  ///< The settings changed since the last Plan.
  std::unordered_set<TargetKey, TargetKey::Hash, TargetKey::Equal> put_off_;
  std::vector<std::pair<TargetKey, MonoTime>> ended_;
};

/// Counts the drift of a target without edits: findings of a punctual re-check, after a check
/// without findings.
void NoteHabit(TargetEntry& target, Priority priority, bool drifted, const Now& now);

}  // namespace bindery::controller
