#include "store/opening.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <tuple>
#include <utility>

#include "sqlite/database.h"
#include "store/clean_mark.h"
#include "store/schema.h"
#include "store/schema_functions.h"
#include "store/set_aside.h"

namespace bindery::store {
namespace {

using DatabasePtr = std::unique_ptr<SQLite::Database>;

// Memory for pages. A pass over 100,000 targets gains nothing from more: what it writes lies
// together.
constexpr const char* kWriterCache = "PRAGMA cache_size = -3072";
constexpr const char* kReaderCache = "PRAGMA cache_size = -1024";
// A large transaction lets the -wal file grow; afterwards it shrinks to this.
constexpr const char* kJournalLimit = "PRAGMA journal_size_limit = 8388608";

/// Reads the whole file, if there is one, and tells whether its content is broken, as opposed to
/// one that cannot be read now. Through a connection that cannot write, because one that can would
/// merge or delete the -wal file when it closes, and with it the chance to save something.
bool IsDamaged(const std::string& path) {
  sqlite::OpenOptions options;
  options.read_only = true;
  options.quick_check = true;
  const auto database = sqlite::OpenDatabase(path, options);
  return !database && sqlite::SaysDamaged(database.error());
}

/// What an upgrade leaves behind may be more than half of the file.
Expected<void> UpgradeAndShrink(SQLite::Database& database) {
  const auto version = [&database] { return database.execAndGet("PRAGMA user_version").getInt(); };
  int before = 0;
  auto ready = sqlite::Attempt("open the store", [&] {
    RegisterUpgradeFunctions(database);
    before = version();
  });
  if (!ready) return ready;
  if (auto done = sqlite::Migrate(database, SchemaSteps()); !done) return done;
  // Nothing is lost when it fails, on a full disk for instance.
  std::ignore = sqlite::Attempt("shrink the store", [&] {
    if (before != 0 && before != version()) database.exec("VACUUM");
  });
  return {};
}

Expected<DatabasePtr> OpenAndUpgrade(const std::string& path) {
  sqlite::OpenOptions options;
  options.durability = sqlite::Durability::kFull;
  auto database = sqlite::OpenDatabase(path, options);
  if (!database) return database;
  if (auto ours = CheckOwner(**database); !ours) return Fail(ours.error());
  if (auto done = UpgradeAndShrink(**database); !done) return Fail(done.error());
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

std::string ContentLine(SQLite::Database& database) {
  const auto line = sqlite::Attempt("read the store", [&database]() -> Expected<std::string> {
    // Numbers that only grow, so that they tell an older state also where rows were deleted since.
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
  OpenedStore opened;
  const CleanMark left = TakeCleanMark(path.string());
  if (!left.as_left && IsDamaged(path.string())) {
    auto aside = SetAside(path.string(), "damaged", clock.Wall());
    if (!aside) return Fail(aside.error());
    opened.recovered_from = std::move(*aside);
  }
  auto database = OpenAndUpgrade(path.string());
  if (!database) return Fail(database.error());
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
  if (auto ours = CheckOwner(**database); !ours) return Fail(ours.error());
  const int version = static_cast<int>(SchemaSteps().size());
  if (auto same = sqlite::RequireVersion(**database, version); !same) return Fail(same.error());
  auto tuned = sqlite::Attempt("open the store", [&] { (*database)->exec(kReaderCache); });
  if (!tuned) return Fail(tuned.error());
  return std::make_unique<SqliteConnection>(std::move(*database));
}

}  // namespace bindery::store
