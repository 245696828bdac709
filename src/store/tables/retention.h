#pragma once

#include <cstddef>

#include "core/base/clock.h"
#include "store/sql/connection.h"

namespace bindery::store {

/// Deletes what is too old to keep, inside the caller's transaction: see StateWriter::Retain().
/// Throws EngineError.
void Retain(Connection& connection, WallTime before, std::size_t revisions);

}  // namespace bindery::store
