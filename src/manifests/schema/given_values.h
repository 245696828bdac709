#pragma once

#include "core/base/json.h"

namespace bindery::manifests {

/// All values of a resource: outputs and inputs. The outputs are the outputs of its target; for a
/// resource that is one role of the target, the role is part of the id.
[[nodiscard]] Json GivenValues(const Json& inputs, Json outputs);

}  // namespace bindery::manifests
