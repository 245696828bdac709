#include "report/access/role_access.h"

#include <optional>
#include <utility>

#include "providers/role_holders.h"
#include "report/access/observed_access.h"

namespace bindery::report {

std::string KnownHolders::Note() const {
  if (role.empty()) return "a member by " + origin;
  return "everyone with " + role + " on " + target.name +
         (observed ? "" : ", whose policy was not observed");
}

Expected<const KnownHolders*> RoleAccess::Of(const std::string& principal) {
  auto who = providers::ReadRoleHolders(principal);
  const access::KnownMembers* members = who ? nullptr : groups_.FindMembers(principal);
  if (!who && members == nullptr) return nullptr;
  const auto [found, fresh] = known_.try_emplace(principal);
  KnownHolders& holders = found->second;
  if (fresh && !who) {
    holders.observed = true;
    holders.origin = members->origin;
    AddMembers({"", principal}, holders);
  } else if (fresh) {
    holders.target = std::move(who->target);
    holders.role = std::move(who->role);
    if (auto completed = Complete(holders); !completed) return Fail(completed.error());
  }
  return &holders;
}

Expected<void> RoleAccess::Complete(KnownHolders& holders) const {
  const ObservedPolicy* policy = policies_.Find(holders.target);
  if (policy == nullptr) return {};
  auto grants = GrantsUnder(store_, *policy);
  if (!grants) return Fail(grants.error());
  holders.observed = true;
  holders.target = policy->target;
  for (const Grant& grant : *grants) {
    if (grant.role == holders.role) AddMembers(grant, holders);
  }
  return {};
}

void RoleAccess::AddMembers(const Grant& grant, KnownHolders& holders) const {
  const access::KnownMembers* known = groups_.FindMembers(grant.principal);
  if (known == nullptr) {
    holders.grants.push_back(grant);
    return;
  }
  for (const std::string& member : known->members) {
    holders.grants.push_back({grant.role, member, grant.condition});
  }
  holders.replaced.push_back(grant);
  for (const std::string& group : known->groups) {
    holders.replaced.push_back({grant.role, group, grant.condition});
  }
}

}  // namespace bindery::report
