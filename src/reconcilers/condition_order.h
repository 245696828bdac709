#pragma once

#include <optional>

#include "core/grant.h"

namespace bindery {

/// Whether everything that `inner` permits is permitted by `outer` as well, as far as that is
/// proved: no condition permits everything; a condition permits no more than each of its conjuncts,
/// and no less than each of its disjuncts; `request.time` by the moments at which either can hold;
/// an attribute that `inner` fixes by `==` by what `outer` evaluates to. False where nothing proves
/// it. What a condition says for people takes no part. Pure.
[[nodiscard]] bool IsContained(const std::optional<Condition>& inner,
                               const std::optional<Condition>& outer);

}  // namespace bindery
