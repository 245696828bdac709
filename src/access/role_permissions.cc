#include "access/role_permissions.h"

#include <algorithm>
#include <utility>

#include "access/text_file.h"
#include "core/base/json.h"

namespace bindery {
namespace {

constexpr std::size_t kMostRoleMebibytes = 64;

/// The roles in a document of one of the forms; null: another form.
const Json* RolesIn(const Json& document) {
  if (const Json* roles = FindMember(document, "roles")) return roles->is_array() ? roles : nullptr;
  return document.is_array() || document.is_object() ? &document : nullptr;
}

bool IsEffective(const Json& role) {
  const Json* deleted = FindMember(role, "deleted");
  const bool is_deleted = deleted != nullptr && deleted->is_boolean() && deleted->get<bool>();
  return !is_deleted && StringMember(role, "stage") != "DISABLED";
}

/// The permissions that the role contributes; nothing: no role with its permissions.
std::optional<std::set<std::string>> PermissionsOf(const Json& role) {
  std::set<std::string> permissions;
  if (!IsEffective(role)) return permissions;
  const Json* included = FindMember(role, "includedPermissions");
  if (included == nullptr || !included->is_array()) return std::nullopt;
  for (const Json& permission : *included) {
    if (!permission.is_string()) return std::nullopt;
    permissions.insert(permission.get<std::string>());
  }
  return permissions;
}

tl::unexpected<Error> Wrong(const std::filesystem::path& file, const std::string& why) {
  return Fail(Code::kInvalidArgument, file.string() + ": " + why);
}

}  // namespace

Expected<void> RolePermissions::AddRole(const Json& role, const std::filesystem::path& file) {
  const std::string name = StringMember(role, "name");
  if (name.empty()) return Wrong(file, "a role has no name");
  auto permissions = PermissionsOf(role);
  if (!permissions) {
    return Wrong(file,
                 name + " has no includedPermissions: roles are listed without them by default");
  }
  roles_[name] = *std::move(permissions);
  return {};
}

Expected<void> RolePermissions::Add(const std::filesystem::path& file) {
  const auto text = access::ReadTextFile(file, kMostRoleMebibytes);
  if (!text) return Fail(text.error());
  const auto document = ParseJson(*text);
  if (!document) return Fail(document.error().Wrap(file.string()));
  const Json* roles = RolesIn(*document);
  if (roles == nullptr) {
    return Wrong(file, "expected a role, a list of roles, or {\"roles\": [...]}");
  }
  if (!roles->is_array()) return AddRole(*roles, file);
  for (const Json& role : *roles) {
    if (auto added = AddRole(role, file); !added) return added;
  }
  return {};
}

bool RolePermissions::Knows(const std::string& permission) const {
  return std::ranges::any_of(roles_,
                             [&](const auto& role) { return role.second.contains(permission); });
}

Expected<RolePermissions> RolePermissions::Read(const std::vector<std::filesystem::path>& files) {
  RolePermissions roles;
  for (const std::filesystem::path& file : files) {
    if (auto added = roles.Add(file); !added) return Fail(added.error());
  }
  return roles;
}

std::optional<bool> RolePermissions::Has(const std::string& role,
                                         const std::string& permission) const {
  const auto found = roles_.find(role);
  if (found == roles_.end()) return std::nullopt;
  return found->second.contains(permission);
}

}  // namespace bindery
