#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/type_token.h"
#include "manifests/schema.h"
#include "reconcilers/kind.h"

namespace bindery {

/// One kind of binding on a resource with an allow policy. All such kinds share one implementation
/// (iam_binding.cc) and differ in this row alone: a new kind is a new row.
struct IamKindRow {
  std::string_view api_version;  ///< "cloudnative:backupdr/v1"
  std::string_view kind;         ///< "ManagementServerIamBinding"
  std::string_view service;  ///< "backupdr": its endpoint, and the first part of its permissions.
  std::string_view collection;  ///< "managementServers": in names and in permissions.
  std::string_view noun;        ///< "management server": for people.
  std::string_view terraform_type;
  std::string_view terraform_id;   ///< The argument that Terraform has for the resource's id.
  std::string_view delete_method;  ///< The last part of the method that deletes it, in audit logs.
};

[[nodiscard]] std::span<const IamKindRow> IamKinds();

/// The row of a kind. Requires: there is one.
[[nodiscard]] const IamKindRow& IamKind(std::string_view kind);

/// What manifests of one of these kinds hold. Requires: there is a row of that kind.
[[nodiscard]] const KindSchema& IamBindingSchema(std::string_view kind);

/// Makes the schema of one row.
[[nodiscard]] KindSchema MakeIamBindingSchema(const IamKindRow& row);

[[nodiscard]] std::unique_ptr<Kind> MakeIamBinding(const IamKindRow& row);

}  // namespace bindery
