#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "access/group_source.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "report/access/condition_judge.h"

namespace bindery::report {

/// A role, the normal form of a principal, and a condition.
using HeldKey = std::tuple<std::string, std::string, std::optional<Condition>>;

/// Who holds a role under a condition.
struct MemberGrant {
  Grant grant;                          ///< As it is in the policy.
  std::string principal;                ///< Of the grant, or a member of the grant's group.
  std::optional<std::string> via = {};  ///< The group of a member.
};
using MemberGrants = std::map<HeldKey, MemberGrant>;

/// The key of a principal with the role and the condition of a grant.
[[nodiscard]] HeldKey KeyOfHeld(const Target& target, const Grant& grant,
                                const std::string& principal);

/// The grants of one policy that another policy of the target does not have.
[[nodiscard]] std::vector<MemberGrant> GrantsBeyond(const MemberGrants& grants,
                                                    const MemberGrants& other);

/// The grants of a policy at a time.
struct GrantsThen {
  MemberGrants held;               ///< What may give access then, by role, principal and condition.
  std::set<HeldKey> out_of_force;  ///< The condition is false then.
  std::set<HeldKey> deleted;       ///< Of deleted principals, under their plain names.
};

/// Without members of groups. `judge`: of the time.
[[nodiscard]] GrantsThen HeldDirectly(const Target& target, const std::vector<Grant>& grants,
                                      ConditionJudge& judge);

/// A role and a condition.
using RoleAndCondition = std::pair<std::string, std::optional<Condition>>;

/// Adds the members of groups with one of the roles, as far as the members are known. What names a
/// principal directly stays.
void AddMembers(const Target& target, const std::set<RoleAndCondition>& roles,
                access::GroupSource& groups, MemberGrants& held);

}  // namespace bindery::report
