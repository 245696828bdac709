#pragma once

#include <vector>

#include "store/ports/hour_store.h"
#include "store/sql/connection.h"

namespace bindery::store {

// The functions of HourStore, for a connection in a transaction. They throw EngineError.

/// The table, as a statement of each engine.
[[nodiscard]] const char* SqliteHourTable();
[[nodiscard]] const char* PostgresHourTable();

void AddToHour(Connection& connection, const HourRecord& more);
[[nodiscard]] std::vector<HourRecord> ReadHours(Connection& connection, WallTime from,
                                                WallTime until);

}  // namespace bindery::store
