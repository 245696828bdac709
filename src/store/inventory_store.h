#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/clock.h"
#include "core/expected.h"
#include "core/inventory.h"

namespace bindery {

/// What scans of clouds found. Of each provider and scope there is one finished scan at most, and
/// one that is under way or was cut off. For the scanner and the coverage report.
///
/// Threads: any. Errors: writing as StateWriter, reading as HistoryReader.
class InventoryStore {
 public:
  virtual ~InventoryStore() = default;

  /// Puts a new scan on record and gives its id. One of the same provider and scope that was cut
  /// off is forgotten. Blocks until that is durable.
  virtual Expected<std::int64_t> BeginInventory(const InventoryRecord& scan) = 0;

  /// Adds a page together with how far the scan is after it. A policy or a container that is on
  /// record of this scan is replaced. kNotFound: no such scan is on record. Blocks.
  virtual Expected<void> AddInventoryPage(const InventoryRecord& scan,
                                          const InventoryPage& page) = 0;

  /// The scan is over, at `scan.finished`: it takes the place of the one that finished before.
  /// kNotFound: no such scan is on record. Blocks.
  virtual Expected<void> FinishInventory(const InventoryRecord& scan) = 0;

  /// All scans on record, without what they found; the one that started last comes first.
  [[nodiscard]] virtual Expected<std::vector<InventoryRecord>> Inventories() const = 0;

  /// What that scan found; kNotFound: it is not on record.
  [[nodiscard]] virtual Expected<InventoryFacts> Inventory(std::int64_t id) const = 0;
};

}  // namespace bindery
