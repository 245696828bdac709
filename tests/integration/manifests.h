#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"

namespace bindery::testing {

inline constexpr const char* kPayments =
    "projects/acme/locations/global/authorizationPolicies/payments";
inline constexpr const char* kBackup = "projects/acme/locations/eu/managementServers/main";

inline constexpr const char* kAna = "user:ana@example.com";

/// What the cloud holds at first: both targets, without policies.
inline constexpr const char* kSeed = R"(
authorizationPolicies: [projects/acme/locations/global/authorizationPolicies/payments]
managementServers: [projects/acme/locations/eu/managementServers/main]
)";

/// One IAM binding on the authorization policy. `members` as a YAML flow list.
inline std::string Binding(const std::string& name, const std::string& role,
                           const std::string& members, const std::string& rest = "") {
  return "apiVersion: cloudnative:networksecurity/v1\n"
         "kind: AuthorizationPolicyIamBinding\n"
         "metadata: {name: " +
         name +
         "}\n"
         "spec:\n"
         "  name: " +
         std::string(kPayments) +
         "\n"
         "  role: " +
         role +
         "\n"
         "  members: " +
         members + "\n" + rest;
}

/// The bindings of a policy in which these members hold that role, and nobody anything else.
inline Json Holders(const std::string& role, const std::vector<std::string>& members) {
  return Json::array({Json{{"role", role}, {"members", members}}});
}

}  // namespace bindery::testing
