#pragma once

#include <compare>
#include <string>

namespace bindery {

/// One policy document in one cloud: the unit that is read, compared, written and queued.
struct Target {
  std::string kind;  ///< The kind that writes it, for example "AuthorizationPolicyIamBinding".
  /// The provider, for kinds whose names mean something only within one (a restriction policy's
  /// resource id within its organisation); empty where names are global.
  std::string scope;
  std::string
      name;  ///< "projects/p/locations/l/authorizationPolicies/a" or "dashboard:abc-def-ghi".

  auto operator<=>(const Target&) const = default;

  /// One text for maps and messages; never empty for a real target.
  [[nodiscard]] std::string Key() const {
    return scope.empty() ? kind + "|" + name : kind + "|" + scope + "|" + name;
  }
};

}  // namespace bindery
