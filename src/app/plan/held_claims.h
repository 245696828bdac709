#pragma once

#include <string>
#include <vector>

#include "manifests/schema/problem.h"
#include "providers/registry/kinds.h"

namespace bindery::convert {
struct Conversion;
}

namespace bindery::app {

/// An error for each draft that would take access from a left out resource, as the draft declares
/// all members of a role, or all grants, and the resource has a part in these; or as the draft
/// declares a condition, and the resource may grant the same without it or under a wider one.
/// Unknown parts of either are taken to be the same. `by_condition`: grants of one role under other
/// conditions are apart (reconcile.bindingKey: roleAndCondition). `default_project`: completes
/// short names; empty: unknown. Pure.
[[nodiscard]] std::vector<manifests::Problem> TakenFromLeftOut(
    const convert::Conversion& conversion, const providers::Kinds& kinds, bool by_condition,
    const std::string& default_project);

}  // namespace bindery::app
