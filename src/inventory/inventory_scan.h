#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cloud/connection.h"
#include "core/clock.h"
#include "core/expected.h"
#include "core/inventory.h"
#include "providers/inventory_source.h"
#include "store/inventory_store.h"

namespace bindery {

/// What a scan works with. All of it outlives the scan.
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

/// For how long a scan that was cut off is carried on: later its pages would be of another time.
inline constexpr std::chrono::hours kScanResumable{1};

/// Reads all of a scope into the store, page by page. A scan of the same scope that was cut off
/// within kScanResumable is carried on where it stopped; should the service not take its token any
/// more, it begins anew. A refusal by a quota, and a service that is away, are waited out, for some
/// minutes at the most. A list that is not needed and that the service refuses is noted in
/// InventoryRecord::unread. After an error what was read stays on record, to be carried on.
///
/// Blocks; any thread. kInvalidArgument: no scope of that cloud. kCancelled: `wait` said so.
[[nodiscard]] Expected<InventoryRecord> ScanInventory(const ScanParts& parts,
                                                      const std::string& scope);

}  // namespace bindery
