#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::emulator {

/// A Google resource this cloud can hold.
struct ResourceName {
  std::string_view section;  ///< As in the seed: section::kAuthorizationPolicies and so on.
  std::string_view service;  ///< "networksecurity", "backupdr", "migrationcenter".
  /// Before the verb in its permissions: "networksecurity.authorizationPolicies".
  std::string permission_prefix;
};

/// Reads "projects/P/locations/L/authorizationPolicies/A" and its like.
[[nodiscard]] std::optional<ResourceName> ParseResourceName(std::string_view name);

/// A name of that section, for messages.
[[nodiscard]] std::string ExampleName(std::string_view section);

}  // namespace bindery::emulator
