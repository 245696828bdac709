#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::providers {

// Names of the clouds' types in other tools, besides the kinds as their counterparts.
// All functions are pure.

/// Whether a resource of a type grants or takes access. The type may be in the spelling of
/// Terraform ("acme_project_iam_member"), Pulumi or Config Connector.
[[nodiscard]] bool GrantsAccess(std::string_view type);

/// The field of a type that grants access where it is not empty, while other resources of the type
/// grant none: "access" of a data set. Empty: the type has no such field.
[[nodiscard]] std::string_view FindGrantingField(std::string_view type);

/// Whether an entry of that field with these texts, sorted, is one that the service gives to each
/// resource: the owners of the project own a new data set.
[[nodiscard]] bool IsGivenToEach(const std::vector<std::string>& texts);

/// Attributes of a resource of Terraform that its arguments determine, by name: the e-mail address
/// of a service account. Empty for most types.
[[nodiscard]] std::map<std::string, std::string> DerivedAttributes(
    std::string_view type, const std::map<std::string, std::string>& arguments);

/// Terraform's family for a kind that Config Connector spells with different words:
/// "acme_account" for "IAMAccount". Empty: the family has the same words.
[[nodiscard]] std::string_view FamilyOfConnectorKind(std::string_view kind);

/// The common part of Config Connector's API groups and annotations: "cnrm.example.com/".
[[nodiscard]] std::string_view ConnectorDomain();

}  // namespace bindery::providers
