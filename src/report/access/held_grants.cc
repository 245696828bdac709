#include "report/access/held_grants.h"

#include "report/access/observed_access.h"

namespace bindery::report {

HeldKey KeyOfHeld(const Target& target, const Grant& grant, const std::string& principal) {
  return {grant.role, NormalizePrincipal(target, principal), grant.condition};
}

std::vector<MemberGrant> GrantsBeyond(const MemberGrants& grants, const MemberGrants& other) {
  std::vector<MemberGrant> beyond;
  for (const auto& [key, held] : grants) {
    if (!other.contains(key)) beyond.push_back(held);
  }
  return beyond;
}

MemberGrants HeldDirectly(const Target& target, const std::vector<Grant>& grants) {
  MemberGrants held;
  for (const Grant& grant : grants) {
    held.emplace(KeyOfHeld(target, grant, grant.principal), MemberGrant{grant, grant.principal});
  }
  return held;
}

void AddMembers(const Target& target, const std::set<RoleAndCondition>& roles,
                access::GroupSource& groups, MemberGrants& held) {
  std::vector<Grant> granted;
  for (const auto& [key, each] : held) {
    if (roles.contains({each.grant.role, each.grant.condition})) granted.push_back(each.grant);
  }
  for (const Grant& grant : granted) {
    const access::KnownMembers* known = groups.FindMembers(grant.principal);
    if (known == nullptr) continue;
    for (const std::string& member : known->members) {
      held.emplace(KeyOfHeld(target, grant, member), MemberGrant{grant, member, grant.principal});
    }
  }
}

}  // namespace bindery::report
