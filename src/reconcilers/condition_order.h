#pragma once

#include <optional>

#include "core/access/grant.h"

namespace bindery {

/// Whether `outer` permits everything that `inner` permits, as far as provable: no condition
/// permits everything; a condition permits no more than each of its conjuncts, and no less than
/// each of its disjuncts; `request.time` by the moments at which either can hold; hours, weekdays,
/// ports and other terms by the values that `inner` leaves open; beginnings and ends of names,
/// lists of roles and tags by their texts; an attribute that `inner` fixes by `==` by the value of
/// `outer`. False without a proof. The texts for people are ignored. Pure.
[[nodiscard]] bool IsContained(const std::optional<Condition>& inner,
                               const std::optional<Condition>& outer);

}  // namespace bindery
