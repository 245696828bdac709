#pragma once

#include <string_view>
#include <vector>

#include "manifests/schema.h"

namespace bindery {

/// The arguments of a family of Terraform's resources, "google_logging_log_view", that are not
/// called like the variables of its names. Pure.
[[nodiscard]] std::vector<TerraformArgument> TerraformArgumentsOf(
    std::string_view terraform_prefix);

}  // namespace bindery
