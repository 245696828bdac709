#pragma once

#include "reconcilers/principals.h"

namespace bindery::datadog {

/// The principal to whom a policy without a grant opens its target.
inline constexpr const char* kEveryoneInOrg = "everyone in the organization";

/// How the principals of restriction policies compare: without case, as their ids are UUIDs.
[[nodiscard]] const reconcilers::PrincipalRules& RestrictionPrincipals();

/// The same for principals of datasets, which include filters ("logs service:web"): these keep
/// their case.
[[nodiscard]] const reconcilers::PrincipalRules& DatasetPrincipals();

}  // namespace bindery::datadog
