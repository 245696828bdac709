#include "report/access/kept_grants.h"

#include <set>
#include <utility>

#include "core/settings/target_rules.h"
#include "providers/registry/kinds.h"
#include "reconcilers/kind.h"
#include "reconcilers/matched_target.h"

namespace bindery::report {
namespace {

KeptGrant Why(const reconcilers::GrantChange& change) {
  switch (change.reason.code) {
    case reconcilers::ReasonCode::kServiceAgent:
      return {false, "it is the role of a service agent, which the cloud grants"};
    case reconcilers::ReasonCode::kDefaultAccount:
      return {false, "it is the role of a default account, which the cloud grants"};
    default:
      return {change.reason.code == reconcilers::ReasonCode::kProtected,
              "the configuration protects it"};
  }
}

}  // namespace

std::map<Grant, KeptGrant> FindKeptGrants(const Target& target, const std::vector<Grant>& grants,
                                          const KeepingRules& rules, WallTime now) {
  std::map<Grant, KeptGrant> kept;
  const reconcilers::Kind* kind = providers::KnownKinds().FindByTargets(target.kind.str());
  if (kind == nullptr || grants.empty()) return kept;
  reconcilers::Desired desired;
  std::set<std::string> roles;
  for (const Grant& grant : grants) roles.insert(grant.role);
  for (const std::string& role : roles) {
    reconcilers::Claim claim;
    claim.declaration.target = target.name;
    claim.declaration.role = role;
    claim.treatment = reconcilers::ManagementPolicy::kObserve;
    desired.claims.push_back(std::move(claim));
  }
  desired.protected_principals = rules.protected_principals;
  desired.by_condition =
      ListConditionalRules(rules.targets, reconcilers::MatchTarget(target, kind));
  desired.now = now;
  reconcilers::Observation seen;
  seen.exists = true;
  seen.grants = grants;
  for (const reconcilers::GrantChange& change : kind->Plan(desired, seen).changes) {
    const bool is_kept = change.IsStoppedBy(reconcilers::Gate::kProtectedPrincipals) &&
                         change.verdict == reconcilers::Verdict::kKeep;
    if (is_kept) kept.emplace(change.before.value_or(change.grant), Why(change));
  }
  return kept;
}

}  // namespace bindery::report
