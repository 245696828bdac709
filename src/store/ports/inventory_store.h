#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::store {

/// The results of cloud scans. Each provider and scope has at most one finished scan, and one scan
/// under way or cut off. For the scanner and the coverage report.
///
/// Threads: any. Errors: writing as StateWriter, reading as HistoryReader.
class InventoryStore {
 public:
  virtual ~InventoryStore() = default;

  /// Puts a new scan on record and gives its id. A cut off scan of the same provider and scope is
  /// forgotten. Blocks until the record is durable.
  virtual Expected<std::int64_t> BeginInventory(const InventoryRecord& scan) = 0;

  /// Adds a page together with the progress of the scan after the page. A policy or a container on
  /// record of this scan is replaced. kNotFound: the scan is not on record. Blocks.
  virtual Expected<void> AddInventoryPage(const InventoryRecord& scan,
                                          const InventoryPage& page) = 0;

  /// The scan is over, at `scan.finished`, and takes the place of the scan that finished before. A
  /// finished scan gets the new times: a later scan showed the same.
  /// kNotFound: the scan is not on record. Blocks.
  virtual Expected<void> FinishInventory(const InventoryRecord& scan) = 0;

  /// All scans on record, without their results; the scan that started last comes first.
  [[nodiscard]] virtual Expected<std::vector<InventoryRecord>> Inventories() const = 0;

  /// The results of a scan; kNotFound: the scan is not on record.
  [[nodiscard]] virtual Expected<InventoryFacts> Inventory(std::int64_t id) const = 0;
};

}  // namespace bindery::store
