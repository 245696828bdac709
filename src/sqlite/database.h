#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/access/attempt.h"
#include "core/base/expected.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's own name
class Database;
}  // namespace SQLite

namespace bindery::sqlite {

/// The level of durability. Both levels survive the death of the process at any moment.
enum class Durability {
  kFull,    ///< A committed transaction survives a power cut (one fsync a commit).
  kNormal,  ///< The file stays consistent after a power cut; the last transactions may be gone.
};

struct OpenOptions {
  bool read_only = false;  ///< Never creates, never writes; a missing file is kNotFound.
  Durability durability = Durability::kFull;
  /// How long a statement waits for the lock of a second process before failing with kUnavailable.
  std::chrono::milliseconds busy_timeout{5000};
  bool quick_check = false;  ///< Reads the whole file once, see QuickCheck().
};

/// Opens the SQLite file at `path` in WAL mode with foreign keys enforced. Unless read only, makes
/// missing parent folders and a missing file (mode 0600; SQLite gives its -wal and -shm files the
/// same), and takes the rights of further users from the files that are there. ":memory:" opens a
/// private database without a file. Read only, it also opens a database in a folder that may not be
/// written to, unless changes wait there in a -wal file nobody has open.
///
/// kNotFound: read only and not there. kPermissionDenied, kFailedPrecondition (the path, or
/// that of a file beside it, is not a file), kUnavailable (locked). kInternal with "damaged" in the
/// message: not an SQLite file or a broken one. Never throws. The connection may be used by one
/// thread at a time.
[[nodiscard]] Expected<std::unique_ptr<SQLite::Database>> OpenDatabase(
    const std::string& path, const OpenOptions& options = {});

/// The tables of a database. The version of a database is its `PRAGMA user_version`.
struct Schema {
  int first = 1;                 ///< The version of `tables`: at least 1.
  const char* tables = nullptr;  ///< SQL.
  /// SQL that makes the tables of each following version from those of the version before.
  std::span<const char* const> steps = {};
  /// Later programs may make versions below this one, and only add to the tables: such a database
  /// is used as it is. 0: no version but the own one is used.
  int used_below = 0;

  [[nodiscard]] int version() const { return first + static_cast<int>(steps.size()); }
};

/// The tables that a database has.
enum class TablesState {
  kNone,
  kOlder,  ///< Of an earlier version, which steps lead from.
  kReady,
};

/// Further tables are allowed. kFailedPrecondition for a version that neither the program nor its
/// steps know, and for tables that were edited since.
[[nodiscard]] Expected<TablesState> FindTables(SQLite::Database& database, const Schema& schema);

/// Makes the tables in an empty database, and carries out the steps that are missing in an older
/// one, in one transaction, so that a crash leaves all or nothing; two processes may do so at once.
/// Fails as FindTables() does, without a change.
[[nodiscard]] Expected<void> MakeTables(SQLite::Database& database, const Schema& schema);

/// Reads every page once (about 1 s a GiB). kInternal with "damaged" and the first finding in the
/// message when something is wrong.
[[nodiscard]] Expected<void> QuickCheck(SQLite::Database& database);

/// The code for a result code of SQLite; whether the result code says that the file is damaged.
[[nodiscard]] Code GetCode(int sqlite_code);
[[nodiscard]] bool IsDamage(int sqlite_code);

/// The failure a caught exception stands for: kUnavailable (locked, I/O error), kAlreadyExists (a
/// uniqueness or other constraint), kResourceExhausted (disk full), kPermissionDenied (read only),
/// kInternal (damaged, or a wrong statement). `doing` begins the message: "read policies: …".
[[nodiscard]] Error ToError(std::string_view doing, const std::exception& failure);

/// Whether an error of the folder says that a database is damaged, or that its tables do not belong
/// to the program.
[[nodiscard]] bool SaysDamaged(const Error& error);
[[nodiscard]] bool SaysOtherTables(const Error& error);

namespace internal {

/// `"PATH"`, for messages.
[[nodiscard]] inline std::string QuotedPath(const std::string& path) { return "\"" + path + "\""; }

}  // namespace internal

/// AttemptWith() for the exceptions of SQLiteCpp.
template <typename F>
[[nodiscard]] auto Attempt(std::string_view doing, F&& work) {
  return AttemptWith([doing](const std::exception& failure) { return ToError(doing, failure); },
                     std::forward<F>(work));
}

}  // namespace bindery::sqlite
