#include "emulator/seed.h"

#include "emulator/google/iam_policy.h"

namespace bindery::emulator {
namespace {

Json SeededPolicy(const Json& kept) {
  Json document = ShownPolicy(PolicyFromJson(kept), 3, Principals());
  if (!document.contains("bindings")) document["bindings"] = Json::array();
  return document;
}

/// The entry as the list item of its section.
Json ListItem(const Entry& entry) {
  const bool listed =
      entry.section == section::kDatasets || entry.section == section::kRestrictionQueries;
  if (listed || entry.section == section::kRestrictionPolicies) {
    Json item = {{"id", entry.key}};
    item.update(entry.value);
    return item;
  }
  const Json* document = FindMember(entry.value, "document");
  if (document == nullptr) return entry.value;
  Json item = {{"name", entry.key}};
  item.update(*document);
  if (const Json* policy = FindMember(entry.value, "policy")) {
    if (policy->value("etag", EtagMicros{0}) != 0) item["policy"] = SeededPolicy(*policy);
  }
  return item;
}

}  // namespace

Json SeedDocument(const std::vector<Entry>& entries) {
  Json seed = Json::object();
  for (const std::string_view name :
       {section::kAuthorizationPolicies, section::kManagementServers, section::kEntitlements,
        section::kPrivilegedGrants, section::kImportDataFiles, section::kRestrictionPolicies,
        section::kDatasets, section::kRestrictionQueries, section::kRoles, section::kTeams,
        section::kUsers, section::kPrincipals, section::kCredentials, section::kServiceAccounts,
        section::kRefreshTokens, section::kIdentityPools}) {
    seed[std::string(name)] = Json::array();
  }
  seed[std::string(section::kIamPolicies)] = Json::object();
  for (const Entry& entry : entries) {
    if (entry.section == section::kOptions || entry.section == section::kMetadata) {
      seed[entry.section] = entry.value;
      continue;
    }
    if (entry.section == section::kIamPolicies) {
      seed[entry.section][entry.key] = ListItem(entry).value("policy", Json());
      continue;
    }
    seed[entry.section].push_back(ListItem(entry));
  }
  return seed;
}

}  // namespace bindery::emulator
