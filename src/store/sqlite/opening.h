#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/sqlite/sqlite_connection.h"

namespace bindery::store {

/// A store opened for writing.
struct OpenedStore {
  std::unique_ptr<SqliteConnection> connection;
  std::string recovered_from;  ///< Where a damaged predecessor was put; empty when there was none.
  bool replaced = false;       ///< Not what the last run left: it may be an older state.
};

/// Opens the store for writing, makes it when it is missing. A file that was not left in good order
/// is checked; a damaged one is set aside together with its -wal and -shm and a new store begun.
/// The caller holds the lock. kFailedPrecondition for a store with other tables than this program's
/// and for another program's database: both stay unchanged.
[[nodiscard]] Expected<OpenedStore> OpenForWriting(const std::filesystem::path& path,
                                                   const Clock& clock);

/// One line that differs between any two states of a store: a summary of all records. Empty when
/// the store cannot be read.
[[nodiscard]] std::string ContentLine(SQLite::Database& database);

/// Opens the store for reading, beside a running daemon or without one. Changes nothing. kNotFound
/// if none exists; kInternal when it is damaged; kFailedPrecondition as above.
[[nodiscard]] Expected<std::unique_ptr<SqliteConnection>> OpenForReading(
    const std::filesystem::path& path);

/// kFailedPrecondition for a database of another program, which must be neither written to nor read
/// as if it were ours. A database with nothing in it may become ours.
[[nodiscard]] Expected<void> CheckOwner(SQLite::Database& database);

/// Whether the database is a store with the tables of the program; false: no tables.
/// kFailedPrecondition for a different program's database, different tables, and a store of an
/// older version.
[[nodiscard]] Expected<bool> HasStore(SQLite::Database& database);

/// Makes the tables in a database without any, and brings an older store to this version. Fails as
/// HasStore() does, with what to do.
[[nodiscard]] Expected<void> MakeStore(SQLite::Database& database);

}  // namespace bindery::store
