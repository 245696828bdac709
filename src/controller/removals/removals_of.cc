#include "controller/removals/removals_of.h"

#include <algorithm>

#include "controller/gates/drift_cause.h"
#include "controller/gates/stored_forms.h"
#include "controller/placing/given_up.h"
#include "core/settings/severity_rules.h"

namespace bindery::controller {
namespace {

/// The statements of claims about a grant. A deleted manifest and its successor may both claim the
/// grant, in any order.
struct Spoken {
  bool by_any = false;
  bool went = false;       ///< A manifest that declared it is gone.
  bool expired = false;    ///< Its condition has ended.
  bool given_up = false;   ///< A manifest declared it, and the one in its place does not.
  bool untold = false;     ///< As GivenUp::untold.
  bool unsettled = false;  ///< What a manifest says now was not found to be so yet.
};

Spoken FindSpoken(const CheckJob& job, const Grant& grant) {
  Spoken spoken;
  const std::vector<Grant> names = AsAskedFor(grant, job.forms);
  for (const DeclaredClaim& claim : job.declared) {
    const bool covers = std::any_of(names.begin(), names.end(), [&](const Grant& name) {
      return reconcilers::CoversOn(job.kind, claim.role, name);
    });
    if (!covers) continue;
    spoken.by_any = true;
    spoken.went = spoken.went || claim.treatment == reconcilers::ManagementPolicy::kRemove;
    spoken.expired = spoken.expired || claim.expired;
    spoken.given_up = spoken.given_up ||
                      std::any_of(names.begin(), names.end(),
                                  [&](const Grant& name) { return Holds(claim.given_up, name); });
    spoken.untold = spoken.untold || claim.given_up.untold;
    spoken.unsettled = spoken.unsettled || !claim.settled;
  }
  return spoken;
}

/// For an undeclared role: if every claim on the target is settled, the grant has gone before, so a
/// foreign writer put it back; otherwise the grant was present first.
RemovalCause CauseBeside(const CheckJob& job, const reconcilers::GrantChange& change) {
  if (change.is_difference && change.cause == DriftCause::kManifest) return RemovalCause::kAdoption;
  const bool settled =
      std::all_of(job.declared.begin(), job.declared.end(), [](const DeclaredClaim& claim) {
        return claim.treatment != reconcilers::ManagementPolicy::kEnforce || claim.settled;
      });
  return settled ? RemovalCause::kForeign : RemovalCause::kAdoption;
}

RemovalCause FindRemovalCause(const CheckJob& job, const Spoken& spoken,
                              const reconcilers::GrantChange& change, bool later) {
  if (job.restore) return RemovalCause::kRollback;
  if (spoken.given_up) return RemovalCause::kManifest;
  if (later) return RemovalCause::kForeign;
  if (spoken.went) return RemovalCause::kManifest;
  if (spoken.expired) return RemovalCause::kExpiry;
  if (!spoken.by_any) return CauseBeside(job, change);
  if (!spoken.unsettled) return RemovalCause::kForeign;
  return spoken.untold ? RemovalCause::kManifest : RemovalCause::kAdoption;
}

bool Empties(const reconcilers::Observation& seen, const reconcilers::TargetPlan& plan) {
  return plan.adds().empty() && plan.removes().size() >= seen.grants.size();
}

}  // namespace

Removals ListRemovals(const CheckJob& job, const reconcilers::Observation& seen,
                      const reconcilers::TargetPlan& plan, const TargetEntry& target) {
  Removals removals;
  removals.target = job.target;
  removals.provider = job.provider;
  removals.declared = job.declared_grants;
  // Without a grant left, everybody may use the restricted object.
  const bool opens =
      job.kind != nullptr && job.kind->traits().opens_to != nullptr && Empties(seen, plan);
  LaterDifferences later(target);
  for (const reconcilers::GrantChange& change : plan.changes) {
    if (!change.is_written() || !change.takes_access()) continue;
    const Grant& grant = *change.removed();
    const Spoken spoken = FindSpoken(job, grant);
    const bool came_later = change.is_difference && later.Has(reconcilers::MakeDriftItem(change));
    Removal removal{grant, FindRemovalCause(job, spoken, change, came_later), Severity::kLow};
    removal.severity = SeverityOfLoss(
        job.kind == nullptr ? job.target.kind.str() : job.kind->traits().judged_as, grant,
        job.severities.get(), job.kind == nullptr ? nullptr : job.kind->traits().widening);
    if (opens) removal.severity = std::max(removal.severity, Severity::kHigh);
    const bool stays = spoken.by_any && !spoken.went;
    if (stays && removal.cause == RemovalCause::kManifest) ++removals.narrowed;
    removals.grants.push_back(std::move(removal));
  }
  removals.declared += removals.narrowed;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest != nullptr) removals.resources.push_back(claim.manifest->name);
  }
  return removals;
}

}  // namespace bindery::controller
