#include "report/access/held_grants.h"

#include "report/access/observed_access.h"

namespace bindery::report {

HeldKey KeyOfHeld(const Target& target, const Grant& grant, const std::string& principal) {
  return {grant.role, NormalizePrincipal(target, principal), grant.condition};
}

std::vector<HeldGrant> GrantsBeyond(const HeldGrants& grants, const HeldGrants& other) {
  std::vector<HeldGrant> beyond;
  for (const auto& [key, held] : grants) {
    if (!other.contains(key)) beyond.push_back(held);
  }
  return beyond;
}

HeldGrants HeldDirectly(const Target& target, const std::vector<Grant>& grants) {
  HeldGrants held;
  for (const Grant& grant : grants) {
    held.emplace(KeyOfHeld(target, grant, grant.principal), HeldGrant{grant, grant.principal});
  }
  return held;
}

void AddMembers(const Target& target, const std::set<RoleAndCondition>& roles, GroupSource& groups,
                HeldGrants& held) {
  std::vector<Grant> granted;
  for (const auto& [key, each] : held) {
    if (roles.contains({each.grant.role, each.grant.condition})) granted.push_back(each.grant);
  }
  for (const Grant& grant : granted) {
    const KnownMembers* known = groups.FindMembers(grant.principal);
    if (known == nullptr) continue;
    for (const std::string& member : known->members) {
      held.emplace(KeyOfHeld(target, grant, member), HeldGrant{grant, member, grant.principal});
    }
  }
}

}  // namespace bindery::report
