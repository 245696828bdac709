#include "store/opening.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/time_text.h"
#include "sqlite/database.h"
#include "store/clean_mark.h"
#include "store/schema.h"
#include "store/schema_functions.h"

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

/// Another program's file must be neither upgraded nor read as if it were ours.
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

/// "20261121T102030Z": without the characters that need quoting in a shell.
std::string FileStamp(WallTime time) {
  std::string text = FormatRfc3339(time);
  text.resize(text.find('.'));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

std::string FreeName(const std::string& wanted) {
  std::string name = wanted;
  std::error_code ignored;
  for (int i = 2; std::filesystem::exists(name, ignored); ++i) {
    name = wanted + "-" + std::to_string(i);
  }
  return name;
}

/// Moves the file and its -wal and -shm, so that what they hold can still be looked into.
Expected<std::string> SetAside(const std::string& path, WallTime now) {
  const std::string aside = FreeName(path + ".damaged-" + FileStamp(now));
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code failure;
    std::filesystem::rename(path + suffix, aside + suffix, failure);
    if (failure && failure != std::errc::no_such_file_or_directory) {
      return Fail(Code::kPermissionDenied, "cannot set the damaged store \"" + path + suffix +
                                               "\" aside: " + failure.message());
    }
  }
  return aside;
}

}  // namespace

Expected<OpenedStore> OpenForWriting(const std::filesystem::path& path, const Clock& clock) {
  OpenedStore opened;
  if (!TakeCleanMark(path.string()) && IsDamaged(path.string())) {
    auto aside = SetAside(path.string(), clock.Wall());
    if (!aside) return Fail(aside.error());
    opened.recovered_from = std::move(*aside);
  }
  auto database = OpenAndUpgrade(path.string());
  if (!database) return Fail(database.error());
  opened.connection = std::make_unique<Connection>(std::move(*database));
  return opened;
}

Expected<std::unique_ptr<Connection>> OpenForReading(const std::filesystem::path& path) {
  sqlite::OpenOptions options;
  options.read_only = true;
  auto database = sqlite::OpenDatabase(path.string(), options);
  if (!database) return Fail(database.error());
  if (auto ours = CheckOwner(**database); !ours) return Fail(ours.error());
  const int version = static_cast<int>(SchemaSteps().size());
  if (auto same = sqlite::RequireVersion(**database, version); !same) return Fail(same.error());
  auto tuned = sqlite::Attempt("open the store", [&] { (*database)->exec(kReaderCache); });
  if (!tuned) return Fail(tuned.error());
  return std::make_unique<Connection>(std::move(*database));
}

}  // namespace bindery::store
