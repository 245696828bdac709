#include "store/sqlite/sqlite_engine.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/whole_file.h"
#include "sqlite/copy.h"
#include "sqlite/database.h"
#include "store/sql/engine_error.h"
#include "store/sqlite/clean_mark.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/sqlite_connection.h"

namespace bindery::store {
namespace {

/// All connections of the engine are of the type.
SQLite::Database& GetDatabase(Connection& connection) {
  return dynamic_cast<SqliteConnection&>(connection).database();
}

}  // namespace

SqliteEngine::SqliteEngine(std::filesystem::path path)
    : path_(std::move(path)), files_(path_.string()), found_() {}

SqliteEngine::SqliteEngine(std::filesystem::path path, LockFile lock, Found found, WitnessedRun run)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      files_(path_.string()),
      found_(std::move(found)),
      run_(std::move(run)) {}

Expected<std::unique_ptr<Connection>> SqliteEngine::OpenReader() const {
  auto opened = OpenForReading(path_);
  if (!opened) return Fail(opened.error());
  (*opened)->EndWhen(reads_ended());
  return std::move(*opened);
}

bool SqliteEngine::HoldsLock() const {
  const MutexLock lock(lock_mutex_);
  return lock_->Holds();
}

Expected<void> SqliteEngine::ConfirmCommit() const {
  if (const auto fault = files_.Look()) return Fail(fault->error);
  if (HoldsLock()) {
    if (run_) run_->Note();
    return {};
  }
  return Fail(Code::kUnavailable, "the lock file of the store was removed while it was open");
}

void SqliteEngine::NoteFailure(const Error& error) {
  if (sqlite::SaysDamaged(error)) damaged_ = true;
}

std::optional<StoreFault> SqliteEngine::RenewLock() {
  const MutexLock lock(lock_mutex_);
  if (lock_->Holds()) return std::nullopt;
  auto renewed = lock_->Renew();
  if (renewed) return std::nullopt;
  const bool taken = renewed.error().code == Code::kFailedPrecondition;
  return StoreFault{renewed.error(), /*lost=*/taken};
}

std::optional<StoreFault> SqliteEngine::Examine(bool try_write) {
  if (auto fault = files_.Look()) return fault;
  if (auto fault = RenewLock()) return fault;
  if (damaged_) {
    Error error;
    error.code = Code::kInternal;
    error.message = "the store \"" + path_.string() + "\" is damaged";
    return StoreFault{error, /*lost=*/true};
  }
  if (auto fault = LookAtRun()) return fault;
  return files_.LookAtFileSystem(try_write);
}

Expected<std::optional<std::int64_t>> SqliteEngine::WritesInPlace() {
  if (look_ == nullptr) {
    auto reader = OpenForReading(path_);
    if (!reader) return Fail(reader.error());
    look_ = std::move(*reader);
  }
  SqliteConnection& reader = *look_;
  return Attempt("look at the store", [this, &reader] {
    const ReadTransaction one_state(reader);
    return GetWrites(reader, run_->run().run());
  });
}

std::optional<StoreFault> SqliteEngine::LookAtRun() {
  if (!run_) return std::nullopt;
  // Before the look, as the writer goes on.
  const std::int64_t written = run_->run().writes();
  const MutexLock lock(look_mutex_);
  auto found = WritesInPlace();
  if (!found) {
    // The new file may have different tables, and a connection learns of tables at the opening.
    look_.reset();
    found = WritesInPlace();
  }
  if (!found) {
    NoteFailure(found.error());
    const bool other =
        found.error().code == Code::kFailedPrecondition || found.error().code == Code::kNotFound;
    return StoreFault{found.error(), /*lost=*/other, /*gone=*/false, /*older=*/other};
  }
  if (!run_->run().older() && *found && **found >= written) {
    run_->Note(/*settled=*/true);
    return std::nullopt;
  }
  Error error;
  error.code = Code::kUnavailable;
  error.message = kPutBack;
  return StoreFault{error, /*lost=*/true, /*gone=*/false, /*older=*/true};
}

Expected<void> SqliteEngine::TryWrite(Connection& writer) {
  SQLite::Database& database = GetDatabase(writer);
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  database.exec("PRAGMA user_version = " + std::to_string(version));
  return {};
}

Expected<bool> SqliteEngine::PutBack(Connection& reader) {
  std::error_code failure;
  if (std::filesystem::exists(std::filesystem::symlink_status(path_, failure))) return false;
  const std::filesystem::path folder = path_.parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  const std::string copy = path_.string() + ".restoring";
  std::filesystem::remove(copy, failure);
  if (auto copied = sqlite::CopyDatabase(GetDatabase(reader), copy); !copied) {
    return Fail(copied.error());
  }
  files_.RemoveOrphans();
  // A link, unlike a rename, replaces nothing that came in the meantime.
  const bool placed = ::link(copy.c_str(), path_.c_str()) == 0;
  const std::error_code why{errno, std::generic_category()};
  std::filesystem::remove(copy, failure);
  if (placed) {
    SyncFolder(folder.string());
    return true;
  }
  if (why == std::errc::file_exists) return false;
  return Fail(Code::kUnavailable, "cannot put the store back: " + why.message());
}

void SqliteEngine::Closing() {
  {
    // Before the writer's connection, the last connection to close.
    const MutexLock lock(look_mutex_);
    look_.reset();
  }
  same_at_end_ = !files_.Look() && HoldsLock();
  if (!same_at_end_ || damaged_) return;
  // While further connections are open, so that closing this connection does not merge the -wal
  // file.
  if (const auto reader = OpenForReading(path_))
    content_at_end_ = ContentLine((*reader)->database());
}

void SqliteEngine::Closed() {
  if (run_) run_->End();
  if (same_at_end_ && !damaged_) LeaveCleanMark(path_.string(), content_at_end_);
  if (!same_at_end_) files_.RemoveOrphans();
}

}  // namespace bindery::store
