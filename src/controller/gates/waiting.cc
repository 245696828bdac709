// The gates that let a change wait until something is known.

#include <algorithm>
#include <set>

#include "controller/gates/gate.h"

namespace bindery {
namespace {

bool TakesAccess(const GrantChange& change) { return change.is_written() && change.takes_access(); }

std::set<Grant> ListGrants(const Removals& removals) {
  std::set<Grant> grants;
  for (const Removal& removal : removals.grants) grants.insert(removal.grant);
  return grants;
}

}  // namespace

void AwaitEvidence(const GateContext& context, TargetPlan& plan) {
  if (!context.evidence) return;
  for (GrantChange& change : plan.changes) {
    if (!TakesAccess(change)) continue;
    EvidenceVerdict found = context.evidence(*change.removed());
    if (found.answer == EvidenceAnswer::kYes || found.answer == EvidenceAnswer::kAsk) continue;
    const bool pending = found.answer == EvidenceAnswer::kPending;
    change.Lower(Verdict::kWait, Gate::kEvidence,
                 {pending ? ReasonCode::kEvidencePending : ReasonCode::kEvidenceBlocked,
                  std::move(found.why)});
  }
}

void PauseOscillation(const GateContext& context, TargetPlan& plan) {
  if (!context.oscillates) return;
  for (GrantChange& change : plan.changes) {
    if (!change.is_written()) continue;
    change.Lower(Verdict::kWait, Gate::kOscillation, {ReasonCode::kOscillating});
  }
}

void AwaitGuard(const GateContext& context, TargetPlan& plan) {
  if (context.guard == nullptr) return;
  const std::set<Grant> waiting = ListGrants(context.guard->wait);
  const std::string& ask = context.guard->wait.ask;
  for (GrantChange& change : plan.changes) {
    if (!TakesAccess(change) || !waiting.contains(*change.removed())) continue;
    change.state = DriftState::kHeld;
    change.Lower(Verdict::kWait, Gate::kGuard,
                 {ask.empty() ? ReasonCode::kOverLimits : ReasonCode::kAsked, ask});
  }
}

void KeepDenied(const GateContext& context, TargetPlan& plan) {
  if (context.guard == nullptr) return;
  const std::set<Grant> denied = ListGrants(context.guard->denied);
  for (GrantChange& change : plan.changes) {
    if (!TakesAccess(change) || !denied.contains(*change.removed())) continue;
    change.state = DriftState::kHeld;
    change.Lower(Verdict::kKeep, Gate::kOperatorAnswer, {ReasonCode::kDenied});
  }
}

}  // namespace bindery
