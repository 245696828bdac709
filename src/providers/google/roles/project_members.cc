#include <array>
#include <string>
#include <utility>

#include "providers/role_holders.h"

namespace bindery::providers {

/// "projectOwner:acme", "projectEditor:acme" and "projectViewer:acme", which Cloud Storage and
/// BigQuery know (convenience values): everyone whom the policy of the project gives that basic
/// role. The project may be named by its number.
/// https://cloud.google.com/storage/docs/access-control/iam#convenience-values
std::optional<RoleHolders> ReadRoleHolders(std::string_view member) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kRoles = {
      {{"projectOwner:", "roles/owner"},
       {"projectEditor:", "roles/editor"},
       {"projectViewer:", "roles/viewer"}}};
  for (const auto& [prefix, role] : kRoles) {
    if (!member.starts_with(prefix) || member.size() == prefix.size()) continue;
    const std::string project(member.substr(prefix.size()));
    return RoleHolders{{"cloudresourcemanager:Project", "", "projects/" + project}, role};
  }
  return std::nullopt;
}

}  // namespace bindery::providers
