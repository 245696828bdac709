#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bindery {

// What the clouds' types are called by other tools, besides the kinds that are their counterparts.
// All functions are pure.

/// Whether a resource of that type grants access or takes it. The type may be in the spelling of
/// Terraform ("acme_project_iam_member"), Pulumi or Config Connector.
[[nodiscard]] bool GrantsAccess(std::string_view type);

/// Attributes of a resource of Terraform that its arguments determine, by name: the e-mail address
/// of a service account. Empty for most types.
[[nodiscard]] std::map<std::string, std::string> DerivedAttributes(
    std::string_view type, const std::map<std::string, std::string>& arguments);

/// Terraform's family for a kind of Config Connector that has other words there:
/// "acme_account" for "IAMAccount". Empty: it has the same words.
[[nodiscard]] std::string_view FamilyOfConnectorKind(std::string_view kind);

/// What the API groups and annotations of Config Connector have in common: "cnrm.example.com/".
[[nodiscard]] std::string_view ConnectorDomain();

}  // namespace bindery
