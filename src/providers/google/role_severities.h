#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/drift.h"

namespace bindery {

/// The predefined roles of one service, by the severity of a grant on a project or above. Names are
/// separated by spaces and sorted: "admin viewer" of "pubsub" are roles/pubsub.admin and
/// roles/pubsub.viewer.
struct ServiceRoles {
  std::string_view service;  ///< Empty: the basic roles, such as roles/viewer.
  std::string_view low = {};
  std::string_view medium = {};
  std::string_view high = {};
  std::string_view critical = {};
};

/// All services, sorted. `./dev kinds` generates them.
[[nodiscard]] std::span<const ServiceRoles> RoleTable();

/// How much the predefined role lets its holder do, by the table; nothing for any other role. The
/// name is compared as a whole, capitals included. docs/drift.md describes the ranks.
[[nodiscard]] std::optional<Severity> PredefinedRoleSeverity(std::string_view role);

/// The predefined role that a writer of the unknown one most likely meant; nothing where the role
/// is known, is a custom one, or none is near.
[[nodiscard]] std::optional<std::string> NearestPredefinedRole(std::string_view role);

}  // namespace bindery
