#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/mode.h"
#include "reconcilers/claimed_grants.h"

namespace bindery {

/// What undeclared grants are sorted by.
struct UndeclaredQuestion {
  const ClaimedGrants& claimed;
  const std::set<GrantKey>& imitations;  ///< Told apart: they are not among the kept ones.
  bool doubtful = false;  ///< Whether the grants are declared cannot be told just now.
};

/// Grants of a policy that no manifest declares, by the outcome of them: by `undeclaredRoles` and
/// its rules for conditions. Where manifests declare single members of a role, no write removes the
/// others. kRemove: while the manifests are in doubt, all that may be removed. kKeep: without what
/// stays by other rules. Pure.
[[nodiscard]] std::map<UndeclaredRoles, std::vector<Grant>> SortUndeclared(
    const Desired& desired, const DiffRules& rules, const UndeclaredQuestion& question);

}  // namespace bindery
