#include "store/sqlite/opening.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/private_file.h"
#include "sqlite/database.h"
#include "store/sqlite/clean_mark.h"
#include "store/sqlite/set_aside.h"
#include "store/tables/schema.h"

namespace bindery::store {
namespace {

using DatabasePtr = std::unique_ptr<SQLite::Database>;

// Memory for pages. A pass over 100,000 targets gains nothing from more: what it writes lies
// together.
constexpr const char* kWriterCache = "PRAGMA cache_size = -3072";
constexpr const char* kReaderCache = "PRAGMA cache_size = -1024";
// A large transaction lets the -wal file grow; afterwards it shrinks to this.
constexpr const char* kJournalLimit = "PRAGMA journal_size_limit = 8388608";

sqlite::Schema MakeSchema() {
  const StoreTables tables = SqliteTables();
  return {kFirstSchema, tables.first, tables.steps, kNextGeneration};
}

/// The tables of a store that the database has. kFailedPrecondition for a different program's
/// database, or different tables.
Expected<sqlite::TablesState> FindStore(SQLite::Database& database) {
  if (auto ours = CheckOwner(database); !ours) return Fail(ours.error());
  return sqlite::FindTables(database, MakeSchema());
}

// Rows that a start reads, and that name rows which are gone.
constexpr std::array kUnreadable = {
    "SELECT 1 FROM resources WHERE id NOT IN (SELECT id FROM names) "
    "OR target_id NOT IN (SELECT id FROM target_keys) "
    "OR api_version NOT IN (SELECT id FROM words) OR kind NOT IN (SELECT id FROM words) "
    "OR provider NOT IN (SELECT id FROM words) OR state NOT IN (SELECT id FROM words) "
    "OR reason NOT IN (SELECT id FROM words) "
    "OR (role <> 0 AND role NOT IN (SELECT id FROM words))",
    "SELECT 1 FROM targets WHERE target_id NOT IN (SELECT id FROM target_keys) "
    "OR provider NOT IN (SELECT id FROM words)",
    "SELECT 1 FROM target_keys WHERE (id IN (SELECT target_id FROM targets) "
    "OR id IN (SELECT target_id FROM resources)) AND (kind NOT IN (SELECT id FROM words) "
    "OR scope NOT IN (SELECT id FROM words) "
    "OR (name <> 0 AND name NOT IN (SELECT id FROM names)))",
};

/// Whether rows that a start needs are gone. A resource without its name would be taken for one
/// that no manifest declares.
bool LacksRows(SQLite::Database& database) {
  const auto found = FindStore(database);
  if (!found || *found == sqlite::TablesState::kNone) return false;
  const auto lacks = sqlite::Attempt("read the store", [&database]() -> Expected<bool> {
    return std::ranges::any_of(kUnreadable, [&database](const char* rows) {
      return database.execAndGet("SELECT EXISTS (" + std::string(rows) + ")").getInt() != 0;
    });
  });
  return lacks.value_or(false);
}

/// Whether the file is broken: by SQLite, or by its rows. Through a read-only connection, because a
/// writing connection would merge or delete the -wal file on closing, and with it the chance to
/// save something.
bool LooksDamaged(const std::string& path) {
  sqlite::OpenOptions options;
  options.read_only = true;
  options.quick_check = true;
  const auto database = sqlite::OpenDatabase(path, options);
  return database ? LacksRows(**database) : sqlite::SaysDamaged(database.error());
}

/// Reads each byte of a file. kUnavailable: the disk does not give the content.
Expected<void> ReadThrough(const std::string& path) {
  const int file = OpenPrivateFile(path, O_RDONLY);
  if (file < 0) return {};
  std::vector<char> part(std::size_t{1} << 20U);
  ssize_t size = 1;
  while (size > 0 || (size < 0 && errno == EINTR)) size = ::read(file, part.data(), part.size());
  const int failure = errno;
  ::close(file);
  if (size == 0) return {};
  return Fail(Code::kUnavailable,
              "\"" + path + "\" cannot be read: " + PrivateFileFailure(failure) +
                  ": check the disk; the store stays in its place. If the disk has lost the file, "
                  "restore a backup, or move the file away to begin a new store");
}

/// Whether the content of the file is broken, as opposed to unreadable now: SQLite reports a read
/// error of the disk as damage (SQLITE_IOERR_CORRUPTFS becomes SQLITE_CORRUPT). kUnavailable: the
/// disk has such errors.
Expected<bool> IsDamaged(const std::string& path) {
  if (!LooksDamaged(path)) return false;
  for (const char* suffix : {"", "-wal"}) {
    if (auto read = ReadThrough(path + suffix); !read) return Fail(read.error());
  }
  // The first look may have met an error that is over.
  return LooksDamaged(path);
}

Error WithRemedy(Error error) {
  if (sqlite::SaysOtherTables(error)) {
    error.message +=
        ": use the version of bindery that made it, or move the file away to begin a new store";
  }
  return error;
}

/// A file of a different program stays unchanged, and keeps its clean mark. A missing or damaged
/// file is not judged here.
Expected<void> RefuseOther(const std::string& path) {
  const auto database = sqlite::OpenDatabase(path, {.read_only = true});
  if (!database) return {};
  const auto found = FindStore(**database);
  if (found || found.error().code != Code::kFailedPrecondition) return {};
  return Fail(WithRemedy(found.error()));
}

Expected<DatabasePtr> OpenAndMake(const std::string& path) {
  sqlite::OpenOptions options;
  options.durability = sqlite::Durability::kFull;
  auto database = sqlite::OpenDatabase(path, options);
  if (!database) return database;
  if (auto made = MakeStore(**database); !made) return Fail(made.error());
  auto tuned = sqlite::Attempt("open the store", [&] {
    (*database)->exec(kWriterCache);
    (*database)->execAndGet(kJournalLimit);
  });
  if (!tuned) return Fail(tuned.error());
  return database;
}

}  // namespace

Expected<void> CheckOwner(SQLite::Database& database) {
  return sqlite::Attempt("read the store", [&]() -> Expected<void> {
    const std::int64_t owner = database.execAndGet("PRAGMA application_id").getInt64();
    if (owner == kApplicationId) return {};
    const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
    if (owner == 0 && empty) return {};
    return Fail(Code::kFailedPrecondition,
                "\"" + database.getFilename() +
                    "\" is a database of another program: give the store a file of its own");
  });
}

Expected<bool> HasStore(SQLite::Database& database) {
  const auto found = FindStore(database);
  if (!found) return Fail(found.error());
  if (*found != sqlite::TablesState::kOlder) return *found == sqlite::TablesState::kReady;
  return Fail(Code::kFailedPrecondition,
              "the store \"" + database.getFilename() +
                  "\" is of an older version: the next start of the daemon upgrades it");
}

Expected<void> MakeStore(SQLite::Database& database) {
  if (auto ours = CheckOwner(database); !ours) return ours;
  auto made = sqlite::MakeTables(database, MakeSchema());
  return made ? made : Fail(WithRemedy(made.error()));
}

std::string ContentLine(SQLite::Database& database) {
  const auto line = sqlite::Attempt("read the store", [&database]() -> Expected<std::string> {
    // Numbers that only grow, so that they identify an older state also after rows were deleted.
    return database
        .execAndGet(
            "SELECT (SELECT ifnull(group_concat(name || '=' || seq, ' '), '') FROM"
            " (SELECT name, seq FROM sqlite_sequence ORDER BY name)) ||"
            " ifnull((SELECT ' look=' || look FROM directory_evidence), '')")
        .getString();
  });
  return line.value_or("");
}

Expected<OpenedStore> OpenForWriting(const std::filesystem::path& path, const Clock& clock) {
  if (auto other = RefuseOther(path.string()); !other) return Fail(other.error());
  OpenedStore opened;
  const CleanMark left = TakeCleanMark(path.string());
  if (!left.as_left) {
    const auto damaged = IsDamaged(path.string());
    if (!damaged) return Fail(damaged.error());
    if (*damaged) {
      auto aside = SetAside(path.string(), "damaged", clock.Wall());
      if (!aside) return Fail(aside.error());
      opened.recovered_from = std::move(*aside);
    }
  }
  auto database = OpenAndMake(path.string());
  if (!database) {
    Error error = database.error();
    if (!opened.recovered_from.empty()) {
      error.message += "; the damaged store was set aside as " + opened.recovered_from;
    }
    return Fail(std::move(error));
  }
  opened.replaced = !left.as_left && !left.content.empty() && opened.recovered_from.empty() &&
                    ContentLine(**database) != left.content;
  opened.connection = std::make_unique<SqliteConnection>(std::move(*database));
  return opened;
}

Expected<std::unique_ptr<SqliteConnection>> OpenForReading(const std::filesystem::path& path) {
  sqlite::OpenOptions options;
  options.read_only = true;
  auto database = sqlite::OpenDatabase(path.string(), options);
  if (!database) return Fail(database.error());
  const auto found = HasStore(**database);
  if (!found) return Fail(WithRemedy(found.error()));
  if (!*found) return Fail(Code::kNotFound, "there is no store in \"" + path.string() + "\" yet");
  auto tuned = sqlite::Attempt("open the store", [&] { (*database)->exec(kReaderCache); });
  if (!tuned) return Fail(tuned.error());
  return std::make_unique<SqliteConnection>(std::move(*database));
}

}  // namespace bindery::store
