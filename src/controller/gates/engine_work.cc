#include "controller/gates/engine_work.h"

#include <algorithm>

#include "reconcilers/grant_comparison.h"

namespace bindery::controller {

reconcilers::TargetPlan TargetUnderWork::Writes() const {
  return decision.takes_back ? reconcilers::ComposePlan({}, reading.take_back) : plan.Writes();
}

bool TargetUnderWork::IsHeld() const {
  return plan.IsStoppedBy(reconcilers::Gate::kGuard) ||
         plan.IsStoppedBy(reconcilers::Gate::kOperatorAnswer);
}

const reconcilers::Claim* TargetUnderWork::FindClaim(const std::string& resource) const {
  const auto found =
      std::find_if(reading.desired.claims.begin(), reading.desired.claims.end(),
                   [&](const reconcilers::Claim& claim) { return claim.resource == resource; });
  return found == reading.desired.claims.end() ? nullptr : &*found;
}

reconcilers::ManagementPolicy TargetUnderWork::GetManagementPolicy(
    const std::string& resource) const {
  const reconcilers::Claim* claim = FindClaim(resource);
  return claim == nullptr ? reconcilers::ManagementPolicy::kPause : claim->treatment;
}

std::size_t TargetUnderWork::ListDifferences(const std::string& resource) const {
  const auto concerns = [&](const reconcilers::GrantChange& change) {
    const bool named =
        change.resource == resource || (!resource.empty() && change.former == resource);
    return named && reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kOpen;
  };
  return static_cast<std::size_t>(
      std::count_if(plan.changes.begin(), plan.changes.end(), concerns));
}

bool TargetUnderWork::Concerns(const std::string& resource) const {
  return ListDifferences(resource) > 0 || ListDifferences("") > 0;
}

bool Declares(const reconcilers::Claim& claim, const Grant& grant, const reconcilers::Kind* kind) {
  return reconcilers::GrantComparison::Of(kind).Holds(claim.declaration.grants, grant);
}

bool TargetUnderWork::MayRemove(const Grant& grant, const TargetEntry& target) const {
  if (target.AwaitsLook()) return true;
  for (const reconcilers::GrantChange& change : plan.changes) {
    if (change.is_written() && change.takes_access() && *change.removed() == grant) return true;
    if (reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kUnjudged &&
        change.grant.role == grant.role && change.grant.principal == grant.principal) {
      return true;
    }
  }
  // For an undeclared role, any manifest on the target decides.
  bool declared = false;
  bool left_alone = false;
  bool role_left_alone = false;
  for (const reconcilers::Claim& claim : reading.desired.claims) {
    const bool covers = reconcilers::CoversOn(job->kind, claim.declaration.role, grant);
    if (!reconcilers::IsGone(claim) && Declares(claim, grant, job->kind)) return false;
    declared = declared || covers;
    left_alone = left_alone || !IsCarriedOut(claim);
    role_left_alone = role_left_alone || (covers && !IsCarriedOut(claim));
  }
  return declared ? role_left_alone : left_alone;
}

}  // namespace bindery::controller
