#pragma once

#include <string_view>
#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::google {

/// The arguments of a family of Terraform's resources, "google_logging_log_view", that are not
/// called like the variables of its names. Pure.
[[nodiscard]] std::vector<manifests::TerraformArgument> ListTerraformArguments(
    std::string_view terraform_prefix);

/// The type of Terraform whose resources say that a member must not hold a role there, without
/// "_iam_member_remove"; there is no other.
inline constexpr std::string_view kFamilyWithRemovals = "google_project";

}  // namespace bindery::google
