#pragma once

#include "store/sql/connection.h"

namespace bindery::store {

/// Deletes the policies, targets, names and words that no row names any more, inside the caller's
/// transaction. Throws EngineError.
void SweepUnnamed(Connection& connection);

}  // namespace bindery::store
