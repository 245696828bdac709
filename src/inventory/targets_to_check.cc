#include "inventory/targets_to_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "access/places.h"
#include "core/access/grant.h"
#include "core/base/json.h"
#include "inventory/managed_targets.h"
#include "inventory/scanned_policy.h"
#include "providers/registry/kinds.h"
#include "reconcilers/bindings.h"
#include "report/access/observed_access.h"

namespace bindery::inventory {
namespace {

/// A target as one resource of the index shows it.
enum class Shown { kSame, kOther, kUnclear };

/// In the spelling in which equal grants are equal.
std::set<Grant> NormalGrants(const Target& target, std::vector<Grant> grants) {
  std::set<Grant> normal;
  for (Grant& grant : grants) {
    grant.principal = report::NormalizePrincipal(target, grant.principal);
    normal.insert(std::move(grant));
  }
  return normal;
}

Expected<Shown> Compare(const store::ReportReader& store, const ManagedTarget& managed,
                        const InventoryPolicy& policy) {
  const Target& target = managed.target;
  const reconcilers::BindingWords& words = providers::GetTraits(target).binding_words;
  const auto bindings = ParseJson(policy.bindings);
  if (!bindings || !bindings->is_array()) return Shown::kUnclear;
  const auto read = report::GrantsUnder(
      store, {target, managed.observed_at, managed.policy_digest, 0, managed.exists});
  if (!read) return Fail(read.error());
  if (NormalGrants(target, *read) !=
      NormalGrants(target, reconcilers::ListGrants(*bindings, words))) {
    return Shown::kOther;
  }
  const bool clear = std::ranges::all_of(
      *bindings, [&words](const Json& entry) { return IsBinding(entry, words); });
  return clear ? Shown::kSame : Shown::kUnclear;
}

}  // namespace

Expected<ComparedTargets> CompareTargets(const store::ReportReader& store,
                                         const InventoryFacts& facts,
                                         const controller::CatalogSettings& settings) {
  const auto managed = ManagedTargets::Read(store, facts.scan.provider, settings);
  if (!managed) return Fail(managed.error());
  const access::Places places(facts.containers);
  std::set<std::string> names;
  // Two resources of the index may stand for one target, as a zonal and a regional disk do.
  std::map<const ManagedTarget*, bool> same;
  for (const InventoryPolicy& policy : facts.policies) {
    if (policy.kind.empty()) continue;
    const ManagedTarget* target = managed->Find(policy.kind, policy.target, places);
    if (target == nullptr || !target->observed || target->policy_digest.empty()) continue;
    const auto shown = Compare(store, *target, policy);
    if (!shown) return Fail(shown.error());
    same.try_emplace(target, true).first->second &= *shown == Shown::kSame;
    if (*shown == Shown::kOther) names.insert(target->resources.begin(), target->resources.end());
  }
  ComparedTargets compared;
  compared.changed.assign(names.begin(), names.end());
  for (const auto& [target, is_same] : same) {
    if (!is_same) continue;
    compared.unchanged.emplace_back(target->target, Sha256Digest::FromHex(target->policy_digest));
  }
  return compared;
}

}  // namespace bindery::inventory
