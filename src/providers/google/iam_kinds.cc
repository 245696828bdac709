#include "providers/google/iam_kinds.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

namespace bindery {
namespace {

constexpr std::array kRows = {
    IamKindRow{"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding", "networksecurity",
               "authorizationPolicies", "authorization policy",
               "google_network_security_authorization_policy_iam_binding", "authorization_policy",
               "DeleteAuthorizationPolicy"},
    IamKindRow{"cloudnative:backupdr/v1", "ManagementServerIamBinding", "backupdr",
               "managementServers", "backup and disaster recovery management server",
               "google_backup_dr_management_server_iam_binding", "management_server",
               "DeleteManagementServer"},
};

std::map<std::string_view, KindSchema> MakeSchemas() {
  std::map<std::string_view, KindSchema> schemas;
  for (const IamKindRow& row : kRows) schemas.emplace(row.kind, MakeIamBindingSchema(row));
  return schemas;
}

}  // namespace

std::span<const IamKindRow> IamKinds() { return kRows; }

const IamKindRow& IamKind(std::string_view kind) {
  const auto* const row = std::find_if(
      kRows.begin(), kRows.end(), [kind](const IamKindRow& each) { return each.kind == kind; });
  if (row == kRows.end()) throw std::logic_error("there is no kind " + std::string(kind));
  return *row;
}

const KindSchema& IamBindingSchema(std::string_view kind) {
  static const std::map<std::string_view, KindSchema> kSchemas = MakeSchemas();
  return kSchemas.at(kind);
}

}  // namespace bindery
