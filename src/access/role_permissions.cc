#include "access/role_permissions.h"

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

}  // namespace

Expected<void> RolePermissions::Add(const std::filesystem::path& file) {
  const auto text = access::ReadTextFile(file, kMostRoleMebibytes);
  if (!text) return Fail(text.error());
  const auto document = ParseJson(*text);
  if (!document) return Fail(document.error().Wrap(file.string()));
  const Json* roles = RolesIn(*document);
  const auto fail = [&file](const std::string& why) {
    return Fail(Code::kInvalidArgument, file.string() + ": " + why);
  };
  if (roles == nullptr) return fail("expected a role, a list of roles, or {\"roles\": [...]}");
  const std::vector<Json> all =
      roles->is_array() ? roles->get<std::vector<Json>>() : std::vector<Json>{*roles};
  for (const Json& role : all) {
    const std::string name = StringMember(role, "name");
    if (name.empty()) return fail("a role has no name");
    auto permissions = PermissionsOf(role);
    if (!permissions) {
      return fail(name + " has no includedPermissions: roles are listed without them by default");
    }
    permissions_.insert(permissions->begin(), permissions->end());
    roles_[name] = *std::move(permissions);
  }
  return {};
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
