#pragma once

#include <string>
#include <tl/expected.hpp>

#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

/// The body of a resource of Terraform's provider, with the full resource name as its `name` in
/// place of the arguments that make it up: "project", "location" and the one that identifies it,
/// which may be a short id of them all ("acme/us-east1/ring"). A body without that one is given
/// back without a name, for others to complain of. An error: an argument that the name needs is
/// missing, or contradicts a different one.
[[nodiscard]] tl::expected<yaml::Node, std::string> WithFullName(const TerraformType& type,
                                                                 const yaml::Node& body);

/// The same, completed by what a provider has for all its resources where that is needed:
/// "project", "region" and "zone".
[[nodiscard]] tl::expected<yaml::Node, std::string> WithFullName(const TerraformType& type,
                                                                 const yaml::Node& body,
                                                                 const yaml::Node& defaults);

}  // namespace bindery
