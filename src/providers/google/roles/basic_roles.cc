#include "providers/google/roles/basic_roles.h"

#include <algorithm>

namespace bindery::google {
namespace {

constexpr BasicRole kBasicRoles[] = {
#include "providers/google/roles/basic_roles.inc"
};

}  // namespace

std::span<const BasicRole> BasicRoles() { return kBasicRoles; }

const BasicRole* FindBasicRole(std::string_view role) {
  const auto* const found =
      std::find_if(std::begin(kBasicRoles), std::end(kBasicRoles),
                   [&](const BasicRole& known) { return known.name == role; });
  return found == std::end(kBasicRoles) ? nullptr : found;
}

bool ReachesBasic(std::string_view role, BasicReach reach) {
  const BasicRole* const known = FindBasicRole(role);
  return known != nullptr && known->reach >= reach;
}

}  // namespace bindery::google
