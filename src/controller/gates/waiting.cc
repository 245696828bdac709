// The gates that let a change wait until something is known.

#include <algorithm>
#include <set>

#include "controller/gates/gate.h"

namespace bindery::controller {
namespace {

bool TakesAccess(const reconcilers::GrantChange& change) {
  return change.is_written() && change.takes_access();
}

std::set<Grant> ListGrants(const Removals& removals) {
  std::set<Grant> grants;
  for (const Removal& removal : removals.grants) grants.insert(removal.grant);
  return grants;
}

}  // namespace

void AwaitEvidence(const GateContext& context, reconcilers::TargetPlan& plan) {
  if (!context.evidence) return;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (!TakesAccess(change)) continue;
    EvidenceVerdict found = context.evidence(*change.removed());
    if (found.answer == EvidenceAnswer::kYes || found.answer == EvidenceAnswer::kAsk) continue;
    const bool pending = found.answer == EvidenceAnswer::kPending;
    change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kEvidence,
                 {pending ? reconcilers::ReasonCode::kEvidencePending
                          : reconcilers::ReasonCode::kEvidenceBlocked,
                  std::move(found.why)});
  }
}

void PauseOscillation(const GateContext& context, reconcilers::TargetPlan& plan) {
  if (!context.oscillates) return;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (!change.is_written()) continue;
    change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kOscillation,
                 {reconcilers::ReasonCode::kOscillating});
  }
}

void AwaitGuard(const GateContext& context, reconcilers::TargetPlan& plan) {
  if (context.guard == nullptr) return;
  const std::set<Grant> waiting = ListGrants(context.guard->wait);
  const std::string& ask = context.guard->wait.ask;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (!TakesAccess(change) || !waiting.contains(*change.removed())) continue;
    change.state = DriftState::kHeld;
    change.Lower(
        reconcilers::Verdict::kWait, reconcilers::Gate::kGuard,
        {ask.empty() ? reconcilers::ReasonCode::kOverLimits : reconcilers::ReasonCode::kAsked,
         ask});
  }
}

void KeepDenied(const GateContext& context, reconcilers::TargetPlan& plan) {
  if (context.guard == nullptr) return;
  const std::set<Grant> denied = ListGrants(context.guard->denied);
  for (reconcilers::GrantChange& change : plan.changes) {
    if (!TakesAccess(change) || !denied.contains(*change.removed())) continue;
    change.state = DriftState::kHeld;
    change.Lower(reconcilers::Verdict::kKeep, reconcilers::Gate::kOperatorAnswer,
                 {reconcilers::ReasonCode::kDenied});
  }
}

}  // namespace bindery::controller
