#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/whole_file.h"
#include "core/text/time_text.h"
#include "sqlite/copy.h"
#include "store/sqlite/clean_mark.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/set_aside.h"
#include "store/tables/schema.h"
#include "store/upkeep/upkeep.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReplaced = "replaced";

/// The backup, if usable. The pages are checked as a copy.
Expected<std::unique_ptr<SQLite::Database>> OpenBackup(const fs::path& store,
                                                       const fs::path& file) {
  std::error_code ignored;
  if (fs::equivalent(store, file, ignored)) {
    return Fail(Code::kInvalidArgument, "\"" + file.string() + "\" is the store itself");
  }
  auto backup = OpenAnyVersion(file.string());
  if (!backup) return backup;
  const auto known = HasStore(**backup);
  if (known) return backup;
  if (!sqlite::SaysOtherTables(known.error())) return Fail(known.error());
  return Fail(known.error().code,
              known.error().message + ": restore it with the version of bindery that made it");
}

/// What the backup does not know was granted or removed since: the next daemon asks before it
/// removes anything by what the backup says.
Expected<void> MarkRestored(const std::string& copy, WallTime now) {
  auto database = sqlite::OpenDatabase(copy);
  if (!database) return Fail(database.error());
  return sqlite::Attempt("mark the store as restored", [&] {
    SQLite::Statement mark(**database,
                           "INSERT INTO directory_evidence (id, look, settled, ground, question) "
                           "VALUES (1, 0, 0, '', ?1) ON CONFLICT (id) DO UPDATE SET question = ?1");
    mark.bind(1, "the store was restored from a backup on " + FormatRfc3339(now));
    mark.exec();
    (*database)->exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
}

/// What is in the place of the store.
enum class Former { kNone, kWhole, kBroken };

/// Merges the -wal file into the database, so that the store is a single file.
Expected<Former> FoldFormer(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return Former::kNone;
  // Of a damaged one a connection that can write would take the -wal file away.
  if (!sqlite::OpenDatabase(path, {.read_only = true, .quick_check = true})) return Former::kBroken;
  auto database = sqlite::OpenDatabase(path);
  if (!database) return Former::kBroken;
  if (auto ours = CheckOwner(**database); !ours) {
    if (ours.error().code == Code::kFailedPrecondition) return Fail(ours.error());
    return Former::kBroken;
  }
  auto busy = sqlite::Attempt("close the store", [&database] {
    return (*database)->execAndGet("PRAGMA wal_checkpoint(TRUNCATE)").getInt();
  });
  return busy && *busy == 0 ? Former::kWhole : Former::kBroken;
}

/// Keeps the former store under a second name; the former store stays in place until the
/// replacement.
Expected<std::string> KeepWhole(const std::string& path, WallTime now) {
  const std::string aside = NameAside(path, kReplaced, now);
  if (::link(path.c_str(), aside.c_str()) != 0) return SetAside(path, kReplaced, now);
  // Nothing is left in them, and readers of the former store still have them open.
  for (const char* suffix : {"-wal", "-shm"}) ::unlink((path + suffix).c_str());
  return aside;
}

Expected<std::string> KeepFormer(const std::string& path, WallTime now) {
  const auto former = FoldFormer(path);
  if (!former) return Fail(former.error());
  switch (*former) {
    case Former::kWhole:
      return KeepWhole(path, now);
    case Former::kBroken:
      return SetAside(path, kReplaced, now);
    case Former::kNone:
      break;
  }
  // Files of a deleted database must not be taken for those of the new one.
  for (const char* suffix : {"-wal", "-shm"}) ::unlink((path + suffix).c_str());
  return std::string();
}

/// Puts the finished copy in the place of the store.
Expected<std::string> Replace(const std::string& path, const std::string& copy, WallTime now) {
  auto aside = KeepFormer(path, now);
  if (!aside) return aside;
  // The next daemon is to look at the file as at one it does not know.
  std::ignore = TakeCleanMark(path);
  if (MoveIntoPlace(copy, path)) return aside;
  const std::error_code failure{errno, std::generic_category()};
  std::string message = "cannot put the backup in place: " + failure.message();
  if (!aside->empty()) message += "; the store before is \"" + *aside + "\"";
  return Fail(Code::kFailedPrecondition, message);
}

}  // namespace

Expected<RestoredStore> RestoreStore(const fs::path& store, const fs::path& file,
                                     const Clock& clock) {
  auto backup = OpenBackup(store, file);
  if (!backup) return Fail(backup.error());
  const std::string path = store.string();
  auto lock = LockForUpkeep(path, "restore the store");
  if (!lock) return Fail(lock.error());
  // Of a restore that was cut off; the lock says that none is under way.
  const std::string copy = path + ".restoring";
  ::unlink(copy.c_str());
  if (auto copied = sqlite::CopyDatabase(**backup, copy); !copied) return Fail(copied.error());
  if (auto marked = MarkRestored(copy, clock.Wall()); !marked) {
    for (const char* suffix : {"", "-wal", "-shm"}) ::unlink((copy + suffix).c_str());
    return Fail(marked.error());
  }
  for (const char* suffix : {"-wal", "-shm"}) ::unlink((copy + suffix).c_str());
  GiveToFolderOwner(copy);
  RestoredStore restored;
  restored.copy = {MeasureBytes(copy), kSchemaVersion};
  auto aside = Replace(path, copy, clock.Wall());
  if (!aside) {
    ::unlink(copy.c_str());
    return Fail(aside.error());
  }
  restored.set_aside = std::move(*aside);
  return restored;
}

}  // namespace bindery::store
