#pragma once

#include <vector>

#include "cel/functions.h"

namespace bindery::cel {

/// The items of a list in the ascending order of their keys, of which there are as many; items with
/// equal keys stay in their order. Fails when the keys are not all of one type that has an order.
[[nodiscard]] Outcome SortedBy(const std::vector<Value>& items, const std::vector<Value>& keys,
                               Meter& meter);

}  // namespace bindery::cel
