#include "providers/google/roles/permissions.h"

#include <algorithm>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

/// The types of resources that permissions of a service are about, separated by spaces.
struct PermissionTypes {
  std::string_view service;
  std::string_view types;
};

constexpr PermissionTypes kPermissionTypes[] = {
#include "providers/google/roles/permission_types.inc"
};

/// The verbs of permissions on such a type, separated by spaces.
constexpr std::string_view kPermissionVerbs =
#include "providers/google/roles/permission_verbs.inc"
    ;

}  // namespace

bool IsKnownPermission(std::string_view name) {
  const std::vector<std::string_view> parts = manifests::Split(name, '.');
  if (parts.size() != 3) return false;
  const auto* const found =
      std::lower_bound(std::begin(kPermissionTypes), std::end(kPermissionTypes), parts[0],
                       [](const PermissionTypes& a, std::string_view b) { return a.service < b; });
  return found != std::end(kPermissionTypes) && found->service == parts[0] &&
         manifests::HasWord(found->types, parts[1]) &&
         manifests::HasWord(kPermissionVerbs, parts[2]);
}

}  // namespace bindery::google
