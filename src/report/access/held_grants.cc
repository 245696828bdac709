#include "report/access/held_grants.h"

#include <utility>

#include "providers/registry/kinds.h"
#include "reconcilers/principals.h"
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

GrantsThen HeldDirectly(const Target& target, const std::vector<Grant>& grants,
                        ConditionJudge& judge) {
  const reconcilers::PrincipalRules* rules = providers::GetTraits(target).principals;
  GrantsThen then;
  for (const Grant& grant : grants) {
    const std::string plain = rules == nullptr ? "" : rules->deleted(grant.principal);
    if (!plain.empty()) {
      then.deleted.insert(KeyOfHeld(target, grant, plain));
      continue;
    }
    HeldKey key = KeyOfHeld(target, grant, grant.principal);
    if (judge.Judge(grant.condition).verdict == Verdict::kNotGranted) {
      then.out_of_force.insert(std::move(key));
    } else {
      then.held.emplace(std::move(key), MemberGrant{grant, grant.principal});
    }
  }
  return then;
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
