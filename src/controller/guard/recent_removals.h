#pragma once

#include <cstdint>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/clock/clock_witness.h"
#include "controller/clock/now.h"
#include "controller/guard/guard_limits.h"
#include "controller/guard/sliding_window.h"
#include "core/access/target.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// Recent removals, and removals that may be on the way: the part of the guard's measure that
/// shrinks with time. Removals count by cause, because each limit applies to certain causes.
///
/// Requires: PassTime is called before anything else is done at a later moment. Invariant: a
/// removal that may have happened counts until its window has passed; one that was let go counts
/// once, however often its write is tried. Belongs to the loop thread; pure except for internal
/// memory.
class RecentRemovals {
 public:
  enum class Outcome { kHappened, kMayHaveHappened, kNothingHappened };

  /// For how long removals count.
  void SetLengths(const GuardLimits& limits);
  void PassTime(const Now& now);

  /// The run, or a new generation that comes into force, begins; `held_before` is how many grants
  /// the directory declared before it.
  void BeginPass(std::int64_t held_before);

  /// A write on `target` with these removals may go. Replaces an earlier permission for the target
  /// that was not used.
  void LetGo(const Removals& target, const CountedRemovals& counted, std::int64_t foreign);
  /// What was let go is not going to be sent.
  void TakeBack(const Target& target);
  /// The write is being sent.
  void Sent(const Target& target);
  void Answered(const Target& target, Outcome outcome);
  /// Grants that a write of an earlier run has removed, or may have.
  void Restore(const store::RemovalRecord& removal);
  /// The age of restored removals follows the services' time: the clock of the daemon that removed
  /// them may have been a different one, and the local clock may be wrong.
  void HearTime(const ClockJudgement& clock);
  [[nodiscard]] bool AwaitsTime() const { return !restored_.empty(); }

  [[nodiscard]] const SlidingWindow& declared() const { return declared_; }
  [[nodiscard]] const SlidingWindow& adopted() const { return adopted_; }
  [[nodiscard]] const SlidingWindow& foreign() const { return foreign_; }
  /// The most grants that the directory declared within the window.
  [[nodiscard]] std::int64_t MostHeld() const { return held_before_.Value(now_.mono); }

 private:
  void Restore(const store::RemovalRecord& removal, WallTime at);

  Now now_{};
  std::vector<store::RemovalRecord> restored_;  ///< Until a service has told the time.
  SlidingWindow declared_;                      ///< Grants that the directory declared.
  SlidingWindow adopted_;
  SlidingWindow foreign_;
  HighestWithin held_before_;
};

}  // namespace bindery::controller
