#pragma once

#include <string>

#include "core/drift.h"
#include "store/connection.h"
#include "store/words.h"

namespace bindery::store {

/// A grant's condition as it is kept: JSON, or "" when there is none.
[[nodiscard]] std::string ConditionText(const Grant& grant);

/// Reads an item from the columns class, the resource's name, role, principal, condition, severity,
/// state, desired and observed, in this order from `first_column` on.
[[nodiscard]] DriftItem ReadDriftItem(WordReader& words, const Query& query, int first_column);

}  // namespace bindery::store
