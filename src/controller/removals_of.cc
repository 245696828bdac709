#include "controller/removals_of.h"

#include <algorithm>

#include "core/severity_rules.h"

namespace bindery {
namespace {

const DeclaredClaim* ClaimOn(const CheckJob& job, const Grant& grant) {
  const auto claim = std::find_if(
      job.declared.begin(), job.declared.end(),
      [&](const DeclaredClaim& declared) { return CoversOn(job.kind, declared.role, grant); });
  return claim == job.declared.end() ? nullptr : &*claim;
}

/// Of a role that nobody declares: where every claim beside it is settled, it has gone before, so
/// others put it back; else it was there first.
RemovalCause CauseBeside(const CheckJob& job) {
  const bool settled =
      std::all_of(job.declared.begin(), job.declared.end(), [](const DeclaredClaim& claim) {
        return claim.treatment != ManagementPolicy::kEnforce || claim.settled;
      });
  return settled ? RemovalCause::kForeign : RemovalCause::kAdoption;
}

RemovalCause CauseOf(const CheckJob& job, const Grant& grant) {
  if (job.restore) return RemovalCause::kRollback;
  const DeclaredClaim* claim = ClaimOn(job, grant);
  if (claim == nullptr) return CauseBeside(job);
  if (claim->treatment == ManagementPolicy::kRemove) return RemovalCause::kManifest;
  if (claim->expired) return RemovalCause::kExpiry;
  if (claim->settled) return RemovalCause::kForeign;
  return claim->came_true ? RemovalCause::kManifest : RemovalCause::kAdoption;
}

/// The same access under other words for people.
bool IsOnlyRenamed(const Grant& grant, const TargetPlan& plan) {
  return std::any_of(plan.adds.begin(), plan.adds.end(), [&](const Grant& added) {
    return added.role == grant.role && added.principal == grant.principal && added.condition &&
           grant.condition && added.condition->expression == grant.condition->expression;
  });
}

bool Empties(const Observation& seen, const TargetPlan& plan) {
  return plan.adds.empty() && plan.removes.size() >= seen.grants.size();
}

}  // namespace

Removals RemovalsOf(const CheckJob& job, const Observation& seen, const TargetPlan& plan) {
  Removals removals;
  removals.target = job.target;
  removals.provider = job.provider;
  removals.declared = job.declared_grants;
  // Without a grant left, everybody may do what it restricts.
  const bool opens =
      job.kind != nullptr && job.kind->traits().open_when_empty && Empties(seen, plan);
  for (const Grant& grant : plan.removes) {
    Removal removal{grant, CauseOf(job, grant), Severity::kLow};
    if (!IsOnlyRenamed(grant, plan)) {
      removal.severity = SeverityOfLoss(
          job.kind == nullptr ? job.target.kind.str() : job.kind->traits().judged_as, grant,
          job.severities.get(), job.kind == nullptr ? nullptr : job.kind->traits().widening);
    }
    if (opens) removal.severity = std::max(removal.severity, Severity::kHigh);
    const DeclaredClaim* claim = ClaimOn(job, grant);
    const bool stays = claim != nullptr && claim->treatment != ManagementPolicy::kRemove;
    if (stays && removal.cause == RemovalCause::kManifest) ++removals.narrowed;
    removals.grants.push_back(std::move(removal));
  }
  removals.declared += removals.narrowed;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest != nullptr) removals.resources.push_back(claim.manifest->name);
  }
  return removals;
}

}  // namespace bindery
