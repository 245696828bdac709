#pragma once

#include <optional>

#include "core/access/grant.h"
#include "core/base/clock.h"

namespace bindery::cel {

/// From when on the condition holds at no time, whatever else it asks for; nothing: no comparison
/// of request.time bounds it, or it cannot be read. As EndOfCondition.
[[nodiscard]] std::optional<WallTime> FindEnd(const Condition& condition);

}  // namespace bindery::cel
