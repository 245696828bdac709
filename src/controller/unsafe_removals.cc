#include "controller/unsafe_removals.h"

#include <algorithm>
#include <set>
#include <utility>

#include "controller/accepted_drift.h"
#include "controller/dropped_conditions.h"

namespace bindery {
namespace {

bool IsAllowed(const CheckJob& job, std::string_view why) {
  if (why == reason::kSelfLockout) return job.allows_self_lockout;
  return why == reason::kLastOwner && job.allows_last_owner;
}

std::vector<RefusedRemovals> RefusedIn(const CheckJob& job, const Observation& seen,
                                       const TargetPlan& plan) {
  if (plan.removes.empty()) return {};
  const std::string own = job.connection == nullptr ? "" : job.connection->principal;
  std::vector<RefusedRemovals> refused = job.kind->Refuse(plan, seen, own, job.now);
  std::erase_if(refused, [&](const RefusedRemovals& one) { return IsAllowed(job, one.reason); });
  return refused;
}

/// The resources in whose name the grants would be removed: those that claim the role, or, where
/// none does, all that are enforced on the target.
std::set<std::string> ResourcesOf(const CheckJob& job, const RefusedRemovals& refused,
                                  const Desired& desired) {
  std::set<std::string> names;
  for (const Grant& grant : refused.grants) {
    std::set<std::string> claiming;
    std::set<std::string> enforced;
    for (const Claim& claim : desired.claims) {
      if (CoversOn(job.kind, claim.declaration.role, grant)) claiming.insert(claim.resource);
      if (claim.treatment == ManagementPolicy::kEnforce) enforced.insert(claim.resource);
    }
    names.merge(claiming.empty() ? enforced : claiming);
  }
  return names;
}

}  // namespace

void RefuseUnsafe(const CheckJob& job, const Desired& desired, const Observation& seen,
                  TargetPlan& plan) {
  for (const RefusedRemovals& refused : RefusedIn(job, seen, plan)) {
    std::erase_if(plan.removes, [&](const Grant& grant) {
      return std::find(refused.grants.begin(), refused.grants.end(), grant) != refused.grants.end();
    });
    for (const std::string& name : ResourcesOf(job, refused, desired)) {
      plan.impossible.emplace_back(
          name,
          ResourceStatus{ResourceState::kStalled, std::string(refused.reason), refused.message});
    }
  }
}

TargetPlan PlanTarget(const CheckJob& job, const Desired& desired, const Observation& seen) {
  TargetPlan plan = job.kind->Plan(desired, seen);
  TakeOutAccepted(job, desired, plan);
  RefuseDroppedConditions(job, desired, seen, plan);
  RefuseUnsafe(job, desired, seen, plan);
  return plan;
}

Expected<void> CheckRestore(const CheckJob& job, const Desired& desired, const Observation& seen) {
  if (!job.restore) return {};
  const auto refused = RefusedIn(job, seen, job.kind->Plan(desired, seen));
  if (refused.empty()) return {};
  return Fail(Code::kFailedPrecondition,
              "nothing of the recorded policy is brought back: " + refused.front().message);
}

}  // namespace bindery
