#pragma once

#include "reconcilers/principals.h"

namespace bindery {

/// How the principals of restriction policies compare: without case, as their ids are UUIDs.
[[nodiscard]] const PrincipalRules& RestrictionPrincipals();

}  // namespace bindery
