#include "inventory/targets_to_check.h"

#include <set>

#include "access/places.h"
#include "inventory/managed_targets.h"
#include "providers/registry/kinds.h"
#include "reconcilers/bindings.h"
#include "report/access/observed_access.h"

namespace bindery {
namespace {

/// In the spelling in which equal grants are equal.
std::set<Grant> NormalGrants(const Target& target, std::vector<Grant> grants) {
  std::set<Grant> normal;
  for (Grant& grant : grants) {
    grant.principal = report::NormalPrincipalOf(target, grant.principal);
    normal.insert(std::move(grant));
  }
  return normal;
}

Expected<bool> IsTheSame(const ReportReader& store, const ManagedTarget& managed,
                         const InventoryPolicy& policy) {
  const Target& target = managed.target;
  const auto bindings = ParseJson(policy.bindings);
  if (!bindings) return true;
  const auto read = report::GrantsUnder(
      store, {target, managed.observed_at, managed.policy_digest, 0, managed.exists});
  if (!read) return Fail(read.error());
  return NormalGrants(target, *read) ==
         NormalGrants(target, GrantsOf(*bindings, TraitsOf(target).binding_words));
}

}  // namespace

Expected<std::vector<std::string>> ResourcesToCheck(const ReportReader& store,
                                                    const InventoryFacts& facts,
                                                    const CatalogSettings& settings) {
  const auto managed = ManagedTargets::Read(store, facts.scan.provider, settings);
  if (!managed) return Fail(managed.error());
  const Places places(facts.containers);
  std::set<std::string> names;
  for (const InventoryPolicy& policy : facts.policies) {
    if (policy.kind.empty()) continue;
    const ManagedTarget* target = managed->Find(policy.kind, policy.target, places);
    if (target == nullptr || !target->observed || target->policy_digest.empty()) continue;
    const auto same = IsTheSame(store, *target, policy);
    if (!same) return Fail(same.error());
    if (!*same) names.insert(target->resources.begin(), target->resources.end());
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace bindery
