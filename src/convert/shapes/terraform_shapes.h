#pragma once

#include "convert/shapes/shape.h"

namespace bindery::convert {

// What the values of Terraform's formats are, as far as other checks do not look at the values.

/// Of a state.
inline constexpr ExpectedShape kStateShapes[] = {{"resources", Shape::kList}};

/// Of a resource in a state.
inline constexpr ExpectedShape kStateResourceShapes[] = {
    {"module", Shape::kText},
    {"type", Shape::kText},
    {"name", Shape::kText},
    {"provider", Shape::kText},
    {"instances[].index_key", Shape::kScalar},
    {"instances[].status", Shape::kText},
    {"instances[].deposed", Shape::kText},
    {"instances[].attributes", Shape::kMap},
    {"instances[].sensitive_attributes", Shape::kList},
    {"instances[].sensitive_attributes[]", Shape::kList},
    {"instances[].sensitive_attributes[][]", Shape::kMap},
};

/// Of a shown resource.
inline constexpr ExpectedShape kShownResourceShapes[] = {
    {"address", Shape::kText}, {"type", Shape::kText},        {"name", Shape::kText},
    {"index", Shape::kScalar}, {"values", Shape::kMap},       {"sensitive_values", Shape::kMarks},
    {"tainted", Shape::kFlag}, {"deposed_key", Shape::kText},
};

/// Of a shown change.
inline constexpr ExpectedShape kShownChangeShapes[] = {
    {"address", Shape::kText},
    {"module_address", Shape::kText},
    {"type", Shape::kText},
    {"name", Shape::kText},
    {"index", Shape::kScalar},
    {"deposed", Shape::kText},
    {"change", Shape::kMap},
    {"change.actions", Shape::kList},
    {"change.actions[]", Shape::kText},
    {"change.before", Shape::kMap, Null::kIsAbsent},
    {"change.after", Shape::kMap, Null::kIsAbsent},
    {"change.after_unknown", Shape::kMarks},
    {"change.before_sensitive", Shape::kMarks},
    {"change.after_sensitive", Shape::kMarks},
};

/// Of a shown state or plan.
inline constexpr ExpectedShape kShownShapes[] = {
    {"values", Shape::kMap},
    {"values.root_module", Shape::kMap},
    {"prior_state", Shape::kMap},
    {"prior_state.values", Shape::kMap},
    {"prior_state.values.root_module", Shape::kMap},
    {"planned_values", Shape::kMap},
    {"planned_values.root_module", Shape::kMap},
    {"resource_changes", Shape::kList},
    {"deferred_changes", Shape::kList},
};

/// Of a module in them.
inline constexpr ExpectedShape kShownModuleShapes[] = {
    {"address", Shape::kText},
    {"resources", Shape::kList},
    {"child_modules", Shape::kList},
};

/// Of a block of a provider in a configuration. Terraform takes numbers as texts.
inline constexpr ExpectedShape kProviderBlockShapes[] = {
    {"alias", Shape::kText, Null::kIsAbsent},
    {"project", Shape::kScalar, Null::kIsAbsent},
    {"region", Shape::kScalar, Null::kIsAbsent},
    {"zone", Shape::kScalar, Null::kIsAbsent},
};

/// Of the blocks `import`, `moved` and `removed`.
inline constexpr ExpectedShape kAddressBlockShapes[] = {
    {"from", Shape::kText},
    {"to", Shape::kText},
    {"id", Shape::kText},
};

}  // namespace bindery::convert
