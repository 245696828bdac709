#pragma once

#include <compare>
#include <string>

#include "core/base/interned.h"

namespace bindery {

/// One policy document in one cloud: the unit of reading, comparing, writing and queueing.
struct Target {
  Interned kind;  ///< The kind that writes it, for example "AuthorizationPolicyIamBinding".
  /// The provider, for kinds whose names have a meaning only within a provider (a restriction
  /// policy's resource id within its organisation); empty for global names.
  Interned scope;
  std::string
      name;  ///< "projects/p/locations/l/authorizationPolicies/a" or "dashboard:abc-def-ghi".

  auto operator<=>(const Target&) const = default;

  /// One text for maps and messages; never empty for a real target.
  [[nodiscard]] std::string Key() const {
    std::string key;
    key.reserve(kind.str().size() + scope.str().size() + name.size() + 2);
    key.append(kind.str()).append("|");
    if (!scope.empty()) key.append(scope.str()).append("|");
    return key.append(name);
  }
};

}  // namespace bindery
