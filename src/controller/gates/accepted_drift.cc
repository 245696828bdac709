#include <algorithm>

#include "cel/expiry/condition_end.h"
#include "controller/gates/gate.h"
#include "reconcilers/principals.h"

namespace bindery::controller {
namespace {

/// A deleted manifest declared the grant: the grant goes with the manifest.
bool GoesWithItsManifest(const reconcilers::GrantChange& item,
                         const reconcilers::Desired& desired) {
  if (!item.former.empty()) return true;
  const auto holds = [&item](const Grant& grant) {
    return reconcilers::SameHolder(grant, item.grant);
  };
  return std::ranges::any_of(desired.claims, [&](const reconcilers::Claim& claim) {
    return reconcilers::IsGone(claim) && claim.resource == item.resource &&
           std::ranges::any_of(claim.declaration.grants, holds);
  });
}

}  // namespace

void AcceptDrift(const GateContext& context, reconcilers::TargetPlan& plan) {
  const CheckJob& job = context.job;
  if (job.accepted == nullptr || job.accepted->empty()) return;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kNone) continue;
    if (GoesWithItsManifest(change, context.desired)) continue;
    const FoundAcceptance found = FindAcceptance(
        *job.accepted, job.target.name, reconcilers::MakeDriftItem(change), job.now, cel::FindEnd);
    if (found.rule == nullptr) continue;
    change.acceptance = found.rule->acceptance;
    if (found.state == AcceptanceState::kHolds) {
      change.state = DriftState::kAccepted;
      change.Lower(reconcilers::Verdict::kKeep, reconcilers::Gate::kAcceptedDrift,
                   {reconcilers::ReasonCode::kAccepted});
    } else {
      change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kAcceptedDrift,
                   {reconcilers::ReasonCode::kAcceptanceInDoubt});
    }
  }
}

}  // namespace bindery::controller
