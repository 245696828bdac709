#pragma once

#include <string>
#include <utility>
#include <vector>

#include "controller/outbox/outbox.h"
#include "controller/removals/awaiting_evidence.h"
#include "controller/removals/pass_barrier.h"
#include "controller/removals/removal_holds.h"
#include "controller/removals/work_table.h"

namespace bindery::controller {

/// Decides about removals: the evidence must allow the removal (AwaitingEvidence), and the
/// guard, or an operator (RemovalHolds), judges it together with the removals of its pass
/// (PassBarrier).
///
/// Invariants: a removal is permitted only by Apply, after a decision of the guard that saw all the
/// removals of an open pass. Whenever no pass is open the hold on record is what the guard
/// withholds. Belongs to the loop thread; catalog, rollbacks and outbox outlive it.
class RemovalControl {
 public:
  RemovalControl(Catalog& catalog, const Rollbacks& rollbacks, Outbox& outbox)
      : catalog_(catalog), outbox_(outbox), holds_(catalog, rollbacks), awaiting_(catalog) {}

  [[nodiscard]] Guard& guard() { return holds_.guard(); }
  [[nodiscard]] const Guard& guard() const { return holds_.guard(); }
  [[nodiscard]] RemovalHolds& holds() { return holds_; }
  [[nodiscard]] PassBarrier& pass() { return pass_; }
  [[nodiscard]] const PassBarrier& pass() const { return pass_; }
  [[nodiscard]] AwaitingEvidence& awaiting() { return awaiting_; }
  [[nodiscard]] const AwaitingEvidence& awaiting() const { return awaiting_; }

  /// Takes over the state of `other`; no pass is open.
  void CopyFrom(const RemovalControl& other) {
    holds_.CopyFrom(other.holds_);
    awaiting_.CopyFrom(other.awaiting_);
  }

  /// There is nothing to remove on the target any more.
  void Drop(const Target& target, const Now& now);
  /// Keeps the hold on record equal to what the guard withholds.
  void Sync(const Now& now);

  /// A target was read: tells the guard what a write without an answer came to, as far as the
  /// reading shows; what may have happened counts as if it had.
  void SettleAttempt(const TargetEntry& target, const TargetUnderWork& work);
  /// Drops holds, denials and approvals of removals that nobody wants any more, and asks the gates
  /// of GateStage::kEvidence about the plan of the work. `oscillates`: GateContext::oscillates.
  void Weigh(const TargetEntry& target, TargetUnderWork& work, bool oscillates, const Now& now);
  /// Manifests changed: a grant that is declared by now must not be removed, with or without a new
  /// reading.
  void ForgetDeclared(const TargetKey& key);
  /// Of a target that is not judged with a pass. Requires: no pass is open.
  [[nodiscard]] Guard::Decision Judge(const TargetUnderWork& work) const;
  /// The pass is over: the parked targets with their decisions, and targets with earlier waiting
  /// removals to read again, because the removals fit the limits now.
  struct Judged {
    PassReport pass;
    std::vector<std::pair<TargetKey, Guard::Decision>> parked;
    std::vector<TargetKey> check;
  };
  [[nodiscard]] Judged JudgePass(WorkTable& work);
  /// Every decision of JudgePass was applied.
  void EndPass(const Now& now);
  /// Permits what may be done now; the rest waits.
  void Apply(const Guard::Decision& decision, TargetUnderWork& work);
  /// The outcome of the removals of a write that was sent.
  void NoteOutcome(const TargetUnderWork& work, const WriteResult& result);

 private:
  [[nodiscard]] Removals RemovalsIn(const TargetUnderWork& work) const;
  void ForgetUnwanted(const TargetEntry& target, const TargetUnderWork& work, const Now& now);

  Catalog& catalog_;
  Outbox& outbox_;
  RemovalHolds holds_;
  PassBarrier pass_;
  AwaitingEvidence awaiting_;
  bool judged_anew_ = false;  ///< By the last JudgePass, what waited from before.
};

}  // namespace bindery::controller
