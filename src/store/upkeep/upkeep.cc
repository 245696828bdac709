#include "store/upkeep/upkeep.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2 is not in std
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>

#include "sqlite/copy.h"
#include "store/sqlite/opening.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {

Expected<std::unique_ptr<SQLite::Database>> OpenAnyVersion(const std::string& path) {
  auto database = sqlite::OpenDatabase(path, {.read_only = true});
  if (!database) return database;
  const auto not_ours = [&path] {
    return Fail(Code::kFailedPrecondition, "\"" + path + "\" is not a store of bindery");
  };
  if (auto ours = CheckOwner(**database); !ours) {
    if (ours.error().code == Code::kFailedPrecondition) return not_ours();
    return Fail(ours.error());
  }
  const auto version = GetVersion(**database);
  if (!version) return Fail(version.error());
  // CheckOwner lets an empty file pass, which can become a store but is none.
  if (*version > 0) return database;
  return not_ours();
}

Expected<int> GetVersion(SQLite::Database& database) {
  return sqlite::Attempt("read the store", [&database] {
    return database.execAndGet("PRAGMA user_version").getInt();
  });
}

std::int64_t MeasureBytes(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

Expected<LockFile> LockForUpkeep(const std::string& store, const char* doing) {
  auto lock = LockFile::Take(store, "stop the daemon first");
  GiveToFolderOwner(store + ".lock");
  if (lock) return lock;
  return Fail(lock.error().Wrap(std::string("cannot ") + doing));
}

void GiveToFolderOwner(const std::string& path) {
  if (::geteuid() != 0) return;
  struct ::stat folder {};
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (::stat(parent.empty() ? "." : parent.c_str(), &folder) != 0) return;
  // A user without the right to chown can still be root.
  std::ignore = ::lchown(path.c_str(), folder.st_uid, folder.st_gid);
}

tl::unexpected<Error> ExistsAlready(const std::filesystem::path& file) {
  return Fail(Code::kAlreadyExists,
              "\"" + file.string() + "\" exists and is not overwritten: give another name");
}

Expected<void> MoveWithoutReplacing(const std::string& from, const std::filesystem::path& file) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno == EEXIST) return ExistsAlready(file);
  // File systems that do not know how not to replace: the name was free a moment ago.
  std::error_code failure{errno, std::generic_category()};
  if (failure == std::errc::invalid_argument || failure == std::errc::function_not_supported) {
    if (std::filesystem::exists(std::filesystem::symlink_status(file))) return ExistsAlready(file);
    std::filesystem::rename(from, file, failure);
    if (!failure) return {};
  }
  return Fail(Code::kFailedPrecondition,
              "cannot name \"" + file.string() + "\": " + failure.message());
}

namespace {

Expected<void> Vacuum(const std::string& path) {
  sqlite::OpenOptions options;
  options.quick_check = true;
  auto database = sqlite::OpenDatabase(path, options);
  if (!database) return Fail(database.error());
  if (auto ours = CheckOwner(**database); !ours) return ours;
  return sqlite::Attempt("compact the store", [&database] {
    (*database)->exec("VACUUM");
    (*database)->exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
}

}  // namespace

Expected<StoreCompaction> CompactStore(const std::filesystem::path& store) {
  const std::string path = store.string();
  // Checked without the lock, before the opening for writing, because the opening would make the
  // file.
  if (auto there = OpenAnyVersion(path); !there) return Fail(there.error());
  auto lock = LockForUpkeep(path, "compact the store");
  if (!lock) return Fail(lock.error());
  StoreCompaction result;
  result.bytes_before = MeasureBytes(path) + MeasureBytes(path + "-wal");
  if (auto done = Vacuum(path); !done) return Fail(done.error());
  result.bytes_after = MeasureBytes(path) + MeasureBytes(path + "-wal");
  return result;
}

}  // namespace bindery::store
