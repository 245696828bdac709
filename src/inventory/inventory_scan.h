#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cloud/connection.h"
#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "providers/inventory_source.h"
#include "store/ports/inventory_store.h"

namespace bindery {

/// The parts that a scan works with. All parts outlive the scan.
struct ScanParts {
  InventoryStore& store;
  const InventorySource& source;
  const Connection& connection;
  const Clock& clock;
  /// Waits before a call is tried again; false: the scan is to end.
  std::function<bool(std::chrono::milliseconds)> wait;
  /// Told after each page how far the scan is; may be empty.
  std::function<void(const InventoryRecord&)> progress = {};
};

/// For how long a cut off scan is carried on: later pages would be of another time.
inline constexpr std::chrono::hours kScanResumable{1};

/// Reads all of a scope into the store, page by page. A scan of the same scope, cut off
/// within kScanResumable, is carried on from the last page; if the service refuses the page token,
/// the scan begins anew. A refusal by a quota, and an absent service, are waited out, for some
/// minutes at the most. A refused list, unless the list is needed, is noted in
/// InventoryRecord::unread. After an error the pages stay on record, to be carried on.
///
/// Blocks; any thread. kInvalidArgument: no scope of the cloud. kCancelled: `wait` said so.
[[nodiscard]] Expected<InventoryRecord> ScanInventory(const ScanParts& parts,
                                                      const std::string& scope);

}  // namespace bindery
