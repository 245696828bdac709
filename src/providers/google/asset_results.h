#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::google {

inline constexpr std::string_view kFolderAsset = "cloudresourcemanager.googleapis.com/Folder";
inline constexpr std::string_view kOrganizationAsset =
    "cloudresourcemanager.googleapis.com/Organization";

/// "folders/20" of "//cloudresourcemanager.googleapis.com/folders/20"; empty for other names.
[[nodiscard]] std::string ContainerOfAsset(const std::string& full_name);

/// The policy in a result of searchAllIamPolicies (cloudasset v1, discovery rev 20261017); nothing:
/// the result names no resource, or has no bindings. Pure.
[[nodiscard]] std::optional<InventoryPolicy> PolicyOfAsset(const Json& result);

/// As InventorySource::ReadExport. The forms of a result, as gcloud 528.0.0 prints them with
/// `--format=json`: `asset search-all-iam-policies` (assetType, resource, project, folders,
/// organization, policy), `asset list --content-type=iam-policy` (assetType, name, ancestors,
/// iamPolicy), and `get-iam-policy` as {resource, policy}. Pure.
[[nodiscard]] Expected<InventoryPage> PoliciesOfExport(const Json& results);

}  // namespace bindery::google
