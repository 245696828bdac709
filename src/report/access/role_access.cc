#include "report/access/role_access.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "providers/role_holders.h"

namespace bindery::report {

std::string KnownHolders::Note() const {
  return "everyone with " + role + " on " + target.name +
         (observed ? "" : ", whose policy was not observed");
}

Expected<const KnownHolders*> RoleAccess::Of(const std::string& principal) {
  auto who = RoleHoldersOf(principal);
  if (!who) return nullptr;
  const auto [found, fresh] = known_.try_emplace(principal);
  KnownHolders& holders = found->second;
  if (fresh) {
    holders.target = std::move(who->target);
    holders.role = std::move(who->role);
    if (auto completed = Complete(holders); !completed) return Fail(completed.error());
  }
  return &holders;
}

Expected<void> RoleAccess::Complete(KnownHolders& holders) const {
  const auto policy = std::ranges::find_if(policies_, [&holders](const ObservedPolicy& each) {
    return each.target.kind == holders.target.kind && each.target.name == holders.target.name;
  });
  if (policy == policies_.end()) return {};
  auto grants = GrantsUnder(store_, *policy);
  if (!grants) return Fail(grants.error());
  holders.observed = true;
  holders.target = policy->target;
  std::ranges::copy_if(*grants, std::back_inserter(holders.grants),
                       [&holders](const Grant& grant) { return grant.role == holders.role; });
  return {};
}

}  // namespace bindery::report
