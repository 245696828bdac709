#pragma once

#include "core/base/json.h"
#include "reconcilers/bindings.h"

namespace bindery::inventory {

/// The entry of a policy's list is a role with a list of members, in these words. Other entries
/// hold no grant that bindery could tell.
[[nodiscard]] bool IsBinding(const Json& entry, const reconcilers::BindingWords& words);

}  // namespace bindery::inventory
