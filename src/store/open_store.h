#pragma once

#include <memory>

#include "core/clock.h"
#include "core/expected.h"
#include "core/store_location.h"
#include "store/sharing.h"
#include "store/store.h"

namespace bindery {

enum class StoreAccess {
  kReadWrite,
  kReadOnly,
  /// As kReadOnly, but for a database that is not reached now: each read tries.
  kReadOnlyLater,
};

/// Opens or creates a store.
///
/// Writes are done by one writer thread that commits everything waiting for it in one transaction
/// (group commit); a change that fails is undone alone. Reads see what was committed before.
///
/// In a file, with kReadWrite: it takes an exclusive lock on `<path>.lock` for its lifetime:
/// kFailedPrecondition "…is in use by process 123…" when another daemon holds it. A store with
/// other tables than this program's, or another program's database: kFailedPrecondition, with what
/// to do, and the file stays unchanged. A damaged file is set aside as `<path>.damaged-<UTC time>`
/// and a new store begun; `recovered_from()` then says so.
///
/// kReadOnly: kNotFound when no store exists; never creates, repairs or locks. A damaged store is
/// kInternal "…is damaged…", here or once the damaged part is read. Writes are refused with
/// kFailedPrecondition. `clock` must outlive the store.
///
/// Examine() looks at the open files and those at the path, on a file system that takes writes; a
/// lock file that was removed is made and locked again.
///
/// In a database, with kReadWrite: it waits for the lease that makes this replica the one that
/// writes; see Lease::Take(). Examine() reports the store lost when another replica has taken it.
/// Nothing is set aside or put back there.
[[nodiscard]] Expected<std::unique_ptr<Store>> OpenStore(const StoreLocation& location,
                                                         StoreAccess access, const Clock& clock,
                                                         const StoreSharing& sharing = {});

}  // namespace bindery
