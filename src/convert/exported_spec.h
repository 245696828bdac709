#pragma once

#include <string>
#include <tl/expected.hpp>

#include "convert/terraform_types.h"
#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

// Specs of resources whose values hold no expressions: those of exports. Values may be called as
// Terraform calls them, in snake case, or as Pulumi does, in camel case.

/// The spec, complete. An error: why there is none; it holds no values. A text of a whole policy,
/// `policy_data`, becomes what the kind has for it.
[[nodiscard]] tl::expected<yaml::Node, std::string> SpecOfValues(const Counterpart& of,
                                                                 const yaml::Node& values);

/// The spec as far as it is known, for claims: texts may have kUnknownPart in them.
[[nodiscard]] yaml::Node KnownSpec(const Counterpart& of, const yaml::Node& values);

/// The spec as the tool means it: entries of lists that differ in nothing but who they name become
/// one, as services merge them (two bindings of one role), and blocks of which there are none are
/// an empty list.
[[nodiscard]] yaml::Node WithMergedEntries(const Counterpart& of, const yaml::Node& spec);

/// The field that a tool's key stands for; null: there is none. Terraform names repeated blocks in
/// the singular.
[[nodiscard]] const Field* FieldCalled(const FieldList& fields, const std::string& key);

}  // namespace bindery
