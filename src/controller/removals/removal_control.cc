#include "controller/removals/removal_control.h"

#include <algorithm>
#include <utility>

#include "controller/gates/gate.h"
#include "controller/removals/removals_of.h"

namespace bindery::controller {
namespace {

/// Adds formerly held removals that wait for better evidence at the moment: these are still wanted,
/// and the known hold stays the same hold.
Removals WithWithheld(Removals wait, const HeldRemovals& held, const TargetUnderWork& work) {
  const HeldRemovals::Entry* before = held.Find(work.job->target.Key());
  if (before == nullptr) return wait;
  for (const Removal& removal : before->removals.grants) {
    const bool awaits =
        std::ranges::any_of(work.plan.changes, [&](const reconcilers::GrantChange& change) {
          return change.IsStoppedBy(reconcilers::Gate::kEvidence) &&
                 *change.removed() == removal.grant;
        });
    if (awaits) wait.grants.push_back(removal);
  }
  return wait;
}

}  // namespace

Removals RemovalControl::RemovalsIn(const TargetUnderWork& work) const {
  const TargetEntry& target = *catalog_.claims().FindTarget(work.job->target);
  Removals removals = ListRemovals(*work.job, work.reading.seen, work.plan, target);
  removals.ask = work.ask;
  return removals;
}

void RemovalControl::Drop(const Target& target, const Now& now) {
  store::StoreChange change;
  const bool waited = holds_.Drop(target, change);
  // While a pass is read the hold shrinks and grows; it is put on record when the pass was judged.
  if (waited && !pass_.open()) holds_.Sync(change, now);
  outbox_.Record(std::move(change));
}

void RemovalControl::Sync(const Now& now) {
  store::StoreChange change;
  holds_.Sync(change, now);
  outbox_.Record(std::move(change));
}

void RemovalControl::SettleAttempt(const TargetEntry& target, const TargetUnderWork& work) {
  if (!target.unresolved) return;
  const bool landed = work.reading.grants_digest == target.unresolved->digest_desired;
  const bool untouched = !landed && work.reading.policy.digest == target.unresolved->digest_before;
  guard().recent().Answered(*target.target, untouched ? RecentRemovals::Outcome::kNothingHappened
                                                      : RecentRemovals::Outcome::kHappened);
}

/// Removals that wait for better evidence are still wanted, and unjudged removals may be: their
/// holds, denials and approvals stay. All further records are forgotten: otherwise they would apply
/// to a later removal without a decision.
void RemovalControl::ForgetUnwanted(const TargetEntry& target, const TargetUnderWork& work,
                                    const Now& now) {
  const Target& of = *target.target;
  const auto wanted = [&](const Grant& grant) { return work.MayRemove(grant, target); };
  if (std::ranges::none_of(guard().Known(of), wanted)) {
    Drop(of, now);
  } else {
    guard().KeepOnly(of, wanted);
  }
}

void RemovalControl::ForgetDeclared(const TargetKey& key) {
  const TargetEntry* target = catalog_.claims().FindTarget(key);
  if (target == nullptr || !guard().answers().HasApproval(*key)) return;
  const std::vector<reconcilers::Claim> claims =
      MakeDesired(catalog_.treatments().MakeJob(*target)).claims;
  guard().KeepOnly(*key, [&](const Grant& grant) {
    return std::ranges::none_of(claims, [&](const reconcilers::Claim& claim) {
      return !reconcilers::IsGone(claim) && Declares(claim, grant, target->kind);
    });
  });
  store::StoreChange change;
  holds_.SettleApproval(*key, change);
  outbox_.Record(std::move(change));
}

void RemovalControl::Weigh(const TargetEntry& target, TargetUnderWork& work, bool oscillates,
                           const Now& now) {
  ForgetUnwanted(target, work, now);
  awaiting_.Weigh(target, work, oscillates, now);
}

Guard::Decision RemovalControl::Judge(const TargetUnderWork& work) const {
  return guard().Judge({RemovalsIn(work)}, pass_.ContextFor(catalog_)).front();
}

RemovalControl::Judged RemovalControl::JudgePass(WorkTable& work) {
  Judged judged;
  judged.pass = pass_.Close(catalog_);
  const std::vector<TargetKey> parked = work.Parked();
  std::vector<Removals> together;
  for (const TargetKey& key : parked) together.push_back(RemovalsIn(work.At(key)));
  judged_anew_ = guard().held().MayRelease();
  if (judged_anew_) {
    for (const auto& [key, held] : guard().held().by_target()) {
      const bool is_parked = std::ranges::binary_search(parked, TargetKey(held.removals.target));
      if (!is_parked) together.push_back(held.removals);
    }
  }
  Guard::Context context = pass_.ContextFor(catalog_);
  context.judged_anew = judged_anew_;
  std::vector<Guard::Decision> decisions = guard().Judge(together, context);
  for (std::size_t i = 0; i < parked.size(); ++i) {
    judged.parked.emplace_back(parked[i], std::move(decisions[i]));
  }
  for (std::size_t i = parked.size(); i < decisions.size(); ++i) {
    const Guard::Decision& decision = decisions[i];
    // Removals that still wait do so for the present reason.
    if (!decision.wait.grants.empty()) {
      guard().held().Hold(decision.wait, decision.reasons);
    } else if (!decision.go.grants.empty()) {
      guard().held().Unhold(decision.wait.target);
    }
    if (!decision.go.grants.empty()) {
      judged.check.push_back(catalog_.claims().MakeKey(decision.go.target));
    }
  }
  return judged;
}

void RemovalControl::EndPass(const Now& now) {
  if (std::exchange(judged_anew_, false)) guard().held().JudgedAnew();
  Sync(now);
}

void RemovalControl::Apply(const Guard::Decision& decision, TargetUnderWork& work) {
  work.decision.counted = guard().LetGo(decision.go);
  if (!decision.wait.grants.empty()) {
    guard().held().Hold(WithWithheld(decision.wait, guard().held(), work), decision.reasons);
  }
  RunGates(GateStage::kGuard,
           {*work.job, work.reading.desired, work.reading.seen, {}, false, &decision}, work.plan);
}

void RemovalControl::NoteOutcome(const TargetUnderWork& work, const WriteResult& result) {
  const Target& target = work.job->target;
  if (result.written) {
    guard().recent().Answered(target, RecentRemovals::Outcome::kHappened);
    guard().answers().CarriedOut(target, work.Writes().removes());
    return;
  }
  const Error& error = result.written.error();
  const bool unknown =
      result.intent != 0 && (error.outcome_unknown || error.code == Code::kCancelled);
  guard().recent().Answered(target, unknown ? RecentRemovals::Outcome::kMayHaveHappened
                                            : RecentRemovals::Outcome::kNothingHappened);
}

}  // namespace bindery::controller
