#pragma once

#include "reconcilers/principals.h"

namespace bindery {

/// Everybody to whom a policy without a grant opens its target.
inline constexpr const char* kEveryoneInOrg = "everyone in the organization";

/// How the principals of restriction policies compare: without case, as their ids are UUIDs.
[[nodiscard]] const PrincipalRules& RestrictionPrincipals();

/// The same for those of datasets, among which are filters ("logs service:web"): they keep their
/// case.
[[nodiscard]] const PrincipalRules& DatasetPrincipals();

}  // namespace bindery
