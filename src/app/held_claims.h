#pragma once

#include <string>
#include <vector>

#include "manifests/problem.h"
#include "providers/kinds.h"

namespace bindery {

struct Conversion;

/// An error for each draft that would take access from a resource that is left out, as it declares
/// all members of a role, or all grants, that the resource has a part in. What is not known of
/// either is taken to be the same. `by_condition`: grants of one role under other conditions are
/// apart (reconcile.bindingKey: roleAndCondition). Pure.
[[nodiscard]] std::vector<Problem> TakenFromLeftOut(const Conversion& conversion,
                                                    const Kinds& kinds, bool by_condition,
                                                    const std::string& default_project);

}  // namespace bindery
