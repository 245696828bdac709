#pragma once

#include "core/json.h"

namespace bindery {

/// All that a resource gives: its outputs, and its inputs besides. The outputs are those of its
/// target; where the resource is one role of that, the role is part of its id.
[[nodiscard]] Json GivenValues(const Json& inputs, Json outputs);

}  // namespace bindery
