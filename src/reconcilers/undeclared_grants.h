#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/settings/mode.h"
#include "reconcilers/claimed_grants.h"

namespace bindery::reconcilers {

/// The inputs of the sorting of undeclared grants.
struct UndeclaredQuestion {
  const ClaimedGrants& claimed;
  const std::set<GrantKey>& imitations;  ///< Told apart: they are not among the kept ones.
  bool doubtful = false;  ///< Whether the grants are declared cannot be told just now.
};

/// Undeclared grants of a policy, by their treatment: by `undeclaredRoles` and its rules for
/// conditions. If manifests declare single members of a role, no write removes the remaining
/// members. kRemove: while the manifests are in doubt, all grants that may be removed. kKeep:
/// without grants that stay by further rules. Pure.
[[nodiscard]] std::map<UndeclaredRoles, std::vector<Grant>> SortUndeclared(
    const Desired& desired, const DiffRules& rules, const UndeclaredQuestion& question);

}  // namespace bindery::reconcilers
