#include "access/role_permissions.h"

#include <algorithm>

#include "access/role_file.h"

namespace bindery::access {

Expected<RolePermissions> RolePermissions::Read(const std::vector<std::filesystem::path>& files,
                                                const std::string& permission) {
  RolePermissions roles;
  for (const std::filesystem::path& file : files) {
    const auto read = ReadRoleFile(file, permission, [&roles](const std::string& role, bool has) {
      roles.roles_[role] = has;
    });
    if (!read) return Fail(read.error());
  }
  return roles;
}

bool RolePermissions::IsKnown() const {
  return std::ranges::any_of(roles_, [](const auto& role) { return role.second; });
}

std::optional<bool> RolePermissions::Has(const std::string& role) const {
  const auto found = roles_.find(role);
  if (found == roles_.end()) return std::nullopt;
  return found->second;
}

}  // namespace bindery::access
