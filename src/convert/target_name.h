#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "manifests/schema/schema.h"
#include "yaml/node.h"

namespace bindery::convert {

/// The body of a resource of Terraform's provider, with the full resource name as its `name` in
/// place of the separate arguments: "project", "location" and the identifying argument, possibly a
/// short id of all ("acme/us-east1/ring"). A body without the identifying argument is returned
/// without a name, for a later error. An error: a required argument is missing, or two arguments
/// contradict each other.
[[nodiscard]] tl::expected<yaml::Node, std::string> WithFullName(
    const manifests::TerraformType& type, const yaml::Node& body);

/// The same, completed by what a provider has for all its resources where that is needed:
/// "project", "region" and "zone".
[[nodiscard]] tl::expected<yaml::Node, std::string> WithFullName(
    const manifests::TerraformType& type, const yaml::Node& body, const yaml::Node& defaults);

/// Why an argument in the name is of a wrong type, in an export with texts alone; empty: none is.
[[nodiscard]] std::string FindWrongPart(const manifests::TerraformType& type,
                                        const yaml::Node& body);

/// The id that a tool imports a resource by, with the full name in place of the tool's name:
/// "projects/acme roles/viewer" of "acme roles/viewer". Nothing: the id is of another resource than
/// `full_name`, or of an unknown form. Requires: the type has names.
[[nodiscard]] std::optional<std::string> MakeImportId(const manifests::TerraformType& type,
                                                      const std::string& full_name,
                                                      const std::string& id,
                                                      const yaml::Node& defaults);

}  // namespace bindery::convert
