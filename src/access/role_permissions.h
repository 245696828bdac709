#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery {

/// Which role has which permission, as files show the roles of a cloud.
///
/// A file is one JSON document of at most 64 MiB: a role, a list of roles, or {"roles": [ROLE, …]},
/// each ROLE as IAM's API version 1 has it: {"name", "includedPermissions": [PERMISSION, …],
/// "stage", "deleted"} (discovery rev 20261023). A role that is deleted, or whose stage is
/// DISABLED, contributes no permission.
class RolePermissions {
 public:
  RolePermissions() = default;

  /// kInvalidArgument: a file that cannot be read or has another form; the message names the file.
  [[nodiscard]] static Expected<RolePermissions> Read(
      const std::vector<std::filesystem::path>& files);

  /// Nothing: no file shows the role.
  [[nodiscard]] std::optional<bool> Has(const std::string& role,
                                        const std::string& permission) const;

  /// Whether any role has the permission.
  [[nodiscard]] bool Knows(const std::string& permission) const;

 private:
  [[nodiscard]] Expected<void> Add(const std::filesystem::path& file);
  [[nodiscard]] Expected<void> AddRole(const Json& role, const std::filesystem::path& file);

  std::map<std::string, std::set<std::string>> roles_;  ///< By name, "roles/viewer".
};

}  // namespace bindery
