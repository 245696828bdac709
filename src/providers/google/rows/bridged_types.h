#pragma once

#include <string>
#include <string_view>

namespace bindery::google {

/// What Pulumi's package gcp calls a resource of Terraform's provider, as TerraformType::bridged.
/// `suffix`: "_iam_binding". By the names in PyPI pulumi-gcp 10.2.0.
[[nodiscard]] std::string MakeBridgedType(std::string_view terraform_prefix,
                                          std::string_view suffix);

}  // namespace bindery::google
