#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "store/sql/connection.h"

namespace bindery::store {

// The functions of InventoryStore, for a connection in a transaction. They throw EngineError.

/// The tables, as statements of each engine.
[[nodiscard]] const char* SqliteInventoryTables();
[[nodiscard]] const char* PostgresInventoryTables();

[[nodiscard]] std::int64_t BeginInventory(Connection& connection, const InventoryRecord& scan);
[[nodiscard]] Expected<void> AddInventoryPage(Connection& connection, const InventoryRecord& scan,
                                              const InventoryPage& page);
[[nodiscard]] Expected<void> FinishInventory(Connection& connection, const InventoryRecord& scan);
[[nodiscard]] std::vector<InventoryRecord> ReadInventories(Connection& connection);
[[nodiscard]] std::optional<InventoryFacts> ReadInventory(Connection& connection, std::int64_t id);
/// As ReportReader has it.
void EachScannedPlace(Connection& connection, const std::function<void(ScannedPlace&&)>& take);
/// Forgets scans that started before `before`.
void RetainInventories(Connection& connection, WallTime before);

}  // namespace bindery::store
