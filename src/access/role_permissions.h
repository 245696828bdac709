#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::access {

/// Which roles have a permission, as files show the roles of a cloud. Of the files nothing else is
/// held in memory.
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
      const std::vector<std::filesystem::path>& files, const std::string& permission);

  /// Whether the role has the permission; nothing: no file shows the role.
  [[nodiscard]] std::optional<bool> Has(const std::string& role) const;

  /// Whether any role has the permission.
  [[nodiscard]] bool IsKnown() const;

 private:
  std::map<std::string, bool> roles_;  ///< By name, "roles/viewer".
};

}  // namespace bindery::access
