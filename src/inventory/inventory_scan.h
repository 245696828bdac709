#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cloud/connection.h"
#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "providers/inventory_source.h"
#include "store/ports/inventory_store.h"

namespace bindery::inventory {

/// The pages that a scan read: the next scan of the provider and the scope needs them to find that
/// nothing changed.
struct ScanMemory {
  std::int64_t scan = 0;             ///< InventoryRecord::id; 0: none is remembered.
  std::vector<std::string> pages{};  ///< A digest of each page, in the order of reading.
  /// The last scan showed the same as the scan before, and keeps the other's record.
  bool same = false;
};

/// The parts that a scan works with. All parts outlive the scan.
struct ScanParts {
  store::InventoryStore& store;
  const providers::InventorySource& source;
  const cloud::Connection& connection;
  const Clock& clock;
  /// Waits before a call is tried again; false: the scan is to end.
  std::function<bool(std::chrono::milliseconds)> wait;
  /// Told after each page how far the scan is; may be empty.
  std::function<void(const InventoryRecord&)> progress = {};
  /// Of the scan of the provider and the scope before, and from then on of this scan; null: every
  /// scan is recorded anew. A scan that was carried on is not remembered.
  ScanMemory* memory = nullptr;
};

/// For how long a cut off scan is carried on: later pages would be of another time.
inline constexpr std::chrono::hours kScanResumable{1};

/// Reads all of a scope into the store, page by page. A scan of the same scope, cut off
/// within kScanResumable, is carried on from the last page; if the service refuses the page token,
/// the scan begins anew. A refusal by a quota, and an absent service, are waited out, for some
/// minutes at the most. A refused list, unless the list is needed, is noted in
/// InventoryRecord::unread. After an error the pages stay on record, to be carried on.
///
/// With `memory`, the pages are first compared with those of the scan before. If all are the same,
/// the record of that scan stands for this scan, with new times. At the first difference everything
/// is read anew.
///
/// Blocks; any thread. kInvalidArgument: no scope of the cloud. kCancelled: `wait` said so.
[[nodiscard]] Expected<InventoryRecord> ScanInventory(const ScanParts& parts,
                                                      const std::string& scope);

}  // namespace bindery::inventory
