#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/target.h"

namespace bindery {

/// Who a principal of a policy stands for: everyone with a role on another target.
struct RoleHolders {
  Target target;  ///< Of any scope.
  std::string role;
};

/// Nothing for a principal that is one, or a set that no policy defines. Pure. Defined by the only
/// cloud that has such principals.
[[nodiscard]] std::optional<RoleHolders> RoleHoldersOf(std::string_view member);

}  // namespace bindery
