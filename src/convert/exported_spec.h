#pragma once

#include <string>
#include <tl/expected.hpp>

#include "convert/terraform_types.h"
#include "manifests/schema/schema.h"
#include "yaml/node.h"

namespace bindery::convert {

// Specs of resources of exports, with values without expressions. Keys may be in snake case, as in
// Terraform, or in camel case, as in Pulumi.

/// The complete spec. An error says why the spec is not known, without values. The text of a whole
/// policy, `policy_data`, becomes the field of the kind.
[[nodiscard]] tl::expected<yaml::Node, std::string> SpecOfValues(const Counterpart& of,
                                                                 const yaml::Node& values);

/// The known part of the spec, for claims: texts may contain kUnknownPart.
[[nodiscard]] yaml::Node KnownSpec(const Counterpart& of, const yaml::Node& values);

/// The spec as the tool means the resource: entries of lists that differ only in their principals
/// become one, as services merge such entries (two bindings of one role), and absent blocks become
/// an empty list.
[[nodiscard]] yaml::Node WithMergedEntries(const Counterpart& of, const yaml::Node& spec);

/// The field of a tool's key; null: no such field. Terraform names repeated blocks in
/// the singular.
[[nodiscard]] const manifests::Field* FieldCalled(const manifests::FieldList& fields,
                                                  const std::string& key);

/// The values with the keys as Terraform spells them. No tool writes "Members": such a key stays.
[[nodiscard]] yaml::Node WithSnakeKeys(yaml::Node values);

}  // namespace bindery::convert
