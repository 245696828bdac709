#pragma once

#include "core/access/target.h"

namespace bindery::report {

/// The target is a policy, or what a lookup reads. Manifests of bindery's own kinds, such as
/// AcceptedDrift, stand on a name that is no target of a cloud: nothing counts or lists that.
[[nodiscard]] bool CountsAsTarget(const Target& target);

}  // namespace bindery::report
