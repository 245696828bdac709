#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/access/target.h"

namespace bindery::providers {

/// The members of a group-like principal in a policy: everyone with a role on a second target.
struct RoleHolders {
  Target target;  ///< Of any scope.
  std::string role;
};

/// Nothing for a single principal, or a group that no policy defines. Pure. Defined by the only
/// cloud with such principals.
[[nodiscard]] std::optional<RoleHolders> ReadRoleHolders(std::string_view member);

}  // namespace bindery::providers
