#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "store/group_writer.h"
#include "store/ports/inventory_store.h"
#include "store/read_connections.h"

namespace bindery::store {

/// The scans of a store in a database.
class SqlInventory final : public InventoryStore {
 public:
  /// Carries out a change and blocks until it is durable.
  using Write = std::function<Expected<void>(GroupWriter::Work)>;

  /// `connections` and what `write` uses must outlive it.
  SqlInventory(const ReadConnections& connections, Write write)
      : connections_(connections), write_(std::move(write)) {}

  Expected<std::int64_t> BeginInventory(const InventoryRecord& scan) override;
  Expected<void> AddInventoryPage(const InventoryRecord& scan, const InventoryPage& page) override;
  Expected<void> FinishInventory(const InventoryRecord& scan) override;
  [[nodiscard]] Expected<std::vector<InventoryRecord>> Inventories() const override;
  [[nodiscard]] Expected<InventoryFacts> Inventory(std::int64_t id) const override;

 private:
  const ReadConnections& connections_;
  const Write write_;
};

}  // namespace bindery::store
