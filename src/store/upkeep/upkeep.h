#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"

// What an operator does to the file of a store: copies, puts back, checks, shrinks.

namespace bindery::store {

struct StoreCopy {
  std::int64_t bytes = 0;
  int schema_version = 0;
};

/// Copies the store, also while a daemon writes to it, into a new file of mode 0600, and checks the
/// copy. kAlreadyExists when `file` is there, which is never overwritten; kNotFound when no store
/// exists, or no folder for the file. What fails leaves no file behind.
[[nodiscard]] Expected<StoreCopy> BackUpStore(const std::filesystem::path& store,
                                              const std::filesystem::path& file);

struct RestoredStore {
  StoreCopy copy;
  std::string set_aside;  ///< Where the store before was put; empty when there was none.
};

/// Puts a copy of `file` in the place of the store; the one before is kept under a dated name. The
/// file is checked first: kFailedPrecondition when it is no store or has other tables,
/// kInternal when it is damaged. kFailedPrecondition while a daemon has the store. At any moment
/// the old store or the new one is in its place, unless the old one is damaged.
[[nodiscard]] Expected<RestoredStore> RestoreStore(const std::filesystem::path& store,
                                                   const std::filesystem::path& file,
                                                   const Clock& clock);

struct StoreFinding {
  std::string check;  ///< "integrity", "references", "content", "version".
  std::string message;
};

struct StoreTable {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t bytes = 0;  ///< With its indexes.
};

struct StoreCheck {
  int schema_version = 0;
  std::int64_t bytes = 0;
  std::int64_t wal_bytes = 0;   ///< Of the -wal file: not merged yet.
  std::int64_t free_bytes = 0;  ///< That compacting would give back.
  std::vector<StoreTable> tables;
  std::optional<WallTime> oldest_event;
  std::optional<WallTime> newest_event;
  std::int64_t policies = 0;  ///< Whose content was compared with its digest.
  std::vector<StoreFinding> findings;
};

/// Reads all of a store and reports its errors, beside a running daemon or without one. A damaged
/// file is a finding; a file that cannot be looked at is an error.
[[nodiscard]] Expected<StoreCheck> CheckStore(const std::filesystem::path& store);

struct StoreCompaction {
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
};

/// Writes the store again without free pages. kFailedPrecondition while a daemon has it;
/// kResourceExhausted when the disk has no room for a second one, which changes nothing.
[[nodiscard]] Expected<StoreCompaction> CompactStore(const std::filesystem::path& store);

}  // namespace bindery::store
