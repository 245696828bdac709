#pragma once

#include <memory>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/store_location.h"
#include "store/ports/sharing.h"
#include "store/ports/store.h"

namespace bindery::store {

enum class StoreAccess {
  kReadWrite,
  kReadOnly,
  /// As kReadOnly, but for a database that is not reached now: each read tries.
  kReadOnlyLater,
};

/// Opens or creates a store.
///
/// One writer thread does all writes, and commits all waiting changes in one transaction (group
/// commit); a failing change is undone alone. Reads see all earlier commits.
///
/// For a file, with kReadWrite: takes an exclusive lock on `<path>.lock` for the lifetime:
/// kFailedPrecondition "…is in use by process 123…" when a second daemon holds the lock. A store
/// with tables of a different program version, or a different program's database:
/// kFailedPrecondition with the remedy, and the file stays unchanged. A damaged file is set aside
/// as `<path>.damaged-<UTC time>` and a new store begun; `recovered_from()` then says so.
///
/// kReadOnly: kNotFound when no store exists; never creates, repairs or locks. A damaged store is
/// kInternal "…is damaged…", here or once the damaged part is read. Writes are refused with
/// kFailedPrecondition. `clock` must outlive the store.
///
/// Examine() looks at the open files and those at the path, on a file system that takes writes; a
/// lock file that was removed is made and locked again.
///
/// For a database, with kReadWrite: waits for the lease that makes this replica the writer; see
/// Lease::Take(). Examine() reports the store lost when a second replica has taken the lease. A
/// database is never set aside or put back.
[[nodiscard]] Expected<std::unique_ptr<Store>> OpenStore(const StoreLocation& location,
                                                         StoreAccess access, const Clock& clock,
                                                         const StoreSharing& sharing = {});

}  // namespace bindery::store
