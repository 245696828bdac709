#pragma once

#include <filesystem>
#include <memory>

#include "core/clock.h"
#include "core/expected.h"
#include "store/store.h"

namespace bindery {

enum class StoreAccess { kReadWrite, kReadOnly };

/// The store in one SQLite file: opens or creates it.
///
/// Writes are done by one writer thread that commits everything waiting for it in one transaction
/// (group commit); a change that fails is undone alone. Reads see what was committed before.
///
/// With kReadWrite it takes an exclusive lock on `<path>.lock` for its lifetime:
/// kFailedPrecondition "…is in use by process 123…" when another daemon holds it. A store of a
/// newer version: kFailedPrecondition naming both versions. A damaged file is set aside as
/// `<path>.damaged-<UTC time>` and a new store begun; `recovered_from()` then says so. A database
/// of another program: kFailedPrecondition.
///
/// kReadOnly: kNotFound when there is no store; never creates, repairs or locks. A damaged store is
/// kInternal "…is damaged…", here or once the damaged part is read. Writes are refused with
/// kFailedPrecondition. `clock` must outlive the store.
///
/// Examine() looks at the open files and those at the path, on a file system that takes writes; a
/// lock file that was removed is made and locked again.
[[nodiscard]] Expected<std::unique_ptr<Store>> OpenStore(const std::filesystem::path& path,
                                                         StoreAccess access, const Clock& clock);

}  // namespace bindery
