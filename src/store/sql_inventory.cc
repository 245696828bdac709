#include "store/sql_inventory.h"

#include <string>

#include "store/tables/inventories.h"

namespace bindery::store {

Expected<std::int64_t> SqlInventory::BeginInventory(const InventoryRecord& scan) {
  std::int64_t id = 0;
  const auto written = write_([&](Connection& connection) -> Expected<void> {
    id = store::BeginInventory(connection, scan);
    return {};
  });
  if (!written) return Fail(written.error());
  return id;
}

Expected<void> SqlInventory::AddInventoryPage(const InventoryRecord& scan,
                                              const InventoryPage& page) {
  return write_(
      [&](Connection& connection) { return store::AddInventoryPage(connection, scan, page); });
}

Expected<void> SqlInventory::FinishInventory(const InventoryRecord& scan) {
  return write_([&](Connection& connection) { return store::FinishInventory(connection, scan); });
}

Expected<std::vector<InventoryRecord>> SqlInventory::Inventories() const {
  return connections_.Read("scans", ReadInventories);
}

Expected<InventoryFacts> SqlInventory::Inventory(std::int64_t id) const {
  auto found = connections_.Read(
      "a scan", [id](Connection& connection) { return ReadInventory(connection, id); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no scan " + std::to_string(id));
  return std::move(**found);
}

}  // namespace bindery::store
