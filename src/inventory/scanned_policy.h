#pragma once

#include "core/base/json.h"
#include "reconcilers/bindings.h"

namespace bindery {

/// The entry of a policy's list is a role with a list of members, in these words. Other entries
/// hold no grant that bindery could tell.
[[nodiscard]] bool IsBinding(const Json& entry, const BindingWords& words);

}  // namespace bindery
