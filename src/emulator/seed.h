#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::emulator {

/// The sections of a seed, equal to the sections of the store.
namespace section {
inline constexpr std::string_view kAuthorizationPolicies = "authorizationPolicies";
inline constexpr std::string_view kManagementServers = "managementServers";
inline constexpr std::string_view kIamPolicies = "iamPolicies";
inline constexpr std::string_view kEntitlements = "privilegedAccessEntitlements";
inline constexpr std::string_view kPrivilegedGrants = "privilegedAccessGrants";
inline constexpr std::string_view kImportDataFiles = "importDataFiles";
inline constexpr std::string_view kRestrictionPolicies = "restrictionPolicies";
inline constexpr std::string_view kDatasets = "datasets";
inline constexpr std::string_view kRestrictionQueries = "restrictionQueries";
inline constexpr std::string_view kRoles = "roles";
inline constexpr std::string_view kTeams = "teams";
inline constexpr std::string_view kUsers = "users";
inline constexpr std::string_view kPrincipals = "principals";
inline constexpr std::string_view kCredentials = "credentials";
inline constexpr std::string_view kServiceAccounts = "serviceAccounts";
inline constexpr std::string_view kRefreshTokens = "refreshTokens";
inline constexpr std::string_view kIdentityPools = "identityPools";
inline constexpr std::string_view kProjects = "projects";
inline constexpr std::string_view kFolders = "folders";
inline constexpr std::string_view kGroups = "groups";
inline constexpr std::string_view kMetadata = "metadata";
inline constexpr std::string_view kOptions = "options";
}  // namespace section

/// One thing of the cloud, as it is seeded, kept and dumped. The value's form depends on the
/// section: targets {"document": {…}, "policy": {…}}, policies of all other rows {"policy": {…}},
/// entitlements and grants of Privileged Access Manager as its API shows them, grants also with
/// "member", import data files {"document": {…}}, restriction policies {"bindings": […]}, datasets
/// {"name", "principals", "productFilters", "createdAt", "modifiedAt"}, restriction queries
/// {"query", "roles", "createdAt", "modifiedAt"}, both also {"deleted": true}, roles {"id", "name",
/// "permissions"}, teams {"id", "handle", "name"}, users {…}, principals {"member", "state",
/// "uid"}, credentials {"token" | "apiKey", "appKey", "permissions", "expires", "user",
/// "principal"}, projects {"id", "number", "parent"},
/// folders {"name", "parent"}, groups {"email", "members"}, service accounts, refresh tokens and
/// identity pools as they are seeded, metadata and options {name: value}.
struct Entry {
  std::string section;
  std::string key;
  Json value;
};

/// Reads a seed document, YAML or JSON. kInvalidArgument with "file:line:column: …" for the first
/// fault; `file` is only for the message.
[[nodiscard]] Expected<std::vector<Entry>> ReadSeed(std::string_view text, const std::string& file);

/// The entries as a seed document again.
[[nodiscard]] Json SeedDocument(const std::vector<Entry>& entries);

}  // namespace bindery::emulator
