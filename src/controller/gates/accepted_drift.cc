#include <algorithm>

#include "cel/expiry/condition_end.h"
#include "controller/gates/gate.h"
#include "reconcilers/principals.h"

namespace bindery {
namespace {

/// A deleted manifest declared the grant: the grant goes with the manifest.
bool GoesWithItsManifest(const GrantChange& item, const Desired& desired) {
  if (!item.former.empty()) return true;
  const auto holds = [&item](const Grant& grant) { return SameHolder(grant, item.grant); };
  return std::ranges::any_of(desired.claims, [&](const Claim& claim) {
    return IsGone(claim) && claim.resource == item.resource &&
           std::ranges::any_of(claim.declaration.grants, holds);
  });
}

}  // namespace

void AcceptDrift(const GateContext& context, TargetPlan& plan) {
  const CheckJob& job = context.job;
  if (job.accepted == nullptr || job.accepted->empty()) return;
  for (GrantChange& change : plan.changes) {
    if (GetRecordKind(change) == DriftRecordKind::kNone) continue;
    if (GoesWithItsManifest(change, context.desired)) continue;
    const FoundAcceptance found = FindAcceptance(*job.accepted, job.target.name,
                                                 MakeDriftItem(change), job.now, cel::FindEnd);
    if (found.rule == nullptr) continue;
    change.acceptance = found.rule->acceptance;
    if (found.state == AcceptanceState::kHolds) {
      change.state = DriftState::kAccepted;
      change.Lower(Verdict::kKeep, Gate::kAcceptedDrift, {ReasonCode::kAccepted});
    } else {
      change.Lower(Verdict::kWait, Gate::kAcceptedDrift, {ReasonCode::kAcceptanceInDoubt});
    }
  }
}

}  // namespace bindery
