#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/whole_file.h"
#include "sqlite/copy.h"
#include "sqlite/database.h"
#include "store/migration/migration_ends.h"
#include "store/sql/engine_error.h"
#include "store/sqlite/clean_mark.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {
namespace {

namespace fs = std::filesystem;

/// A file under a temporary name; the whole file gets the name of the store.
class FileTarget final : public MigrationTarget {
 public:
  FileTarget(std::string path, LockFile lock)
      : path_(std::move(path)), copy_(path_ + ".migrating"), lock_(std::move(lock)) {}

  Expected<void> Begin(const std::string& source) {
    std::error_code ignored;
    if (fs::exists(copy_, ignored)) {
      auto gone_on = GoOnWith(source);
      if (!gone_on) return Fail(gone_on.error());
      if (*gone_on) return {};
      // The former migration was cut off before its first row or after its last comparison.
      connection_.reset();
      for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(copy_ + suffix, ignored);
    }
    if (auto opened = Connect(); !opened) return opened;
    return Attempt("begin the copy", [&] {
      connection_->BeginWrite();
      WriteMigrationMark(*connection_, source);
      connection_->Commit();
    });
  }

  [[nodiscard]] Connection& connection() override { return *connection_; }
  [[nodiscard]] bool resumed() const override { return resumed_; }
  void CountOnAfter(const SharedTable& table, std::int64_t number) override;
  [[nodiscard]] Expected<void> Finish() override;

 private:
  /// Opens the file of an interrupted migration; false without the mark.
  Expected<bool> GoOnWith(const std::string& source);
  Expected<void> Connect();
  Expected<void> Close();

  const std::string path_;
  const std::string copy_;
  const LockFile lock_;
  bool resumed_ = false;
  std::unique_ptr<SqliteConnection> connection_;
};

Expected<void> FileTarget::Connect() {
  // After a power cut the file is whole and may lack its last rows: the migration continues from
  // there.
  auto database = sqlite::OpenDatabase(copy_, {.durability = sqlite::Durability::kNormal});
  if (!database) return Fail(database.error());
  if (auto made = MakeStore(**database); !made) return made;
  connection_ = std::make_unique<SqliteConnection>(std::move(*database));
  return {};
}

Expected<bool> FileTarget::GoOnWith(const std::string& source) {
  if (auto opened = Connect(); !opened) return Fail(opened.error());
  return Attempt("read the copy", [&]() -> Expected<bool> {
    {
      Query mark(*connection_, "SELECT 1 FROM sqlite_schema WHERE name = 'bindery_migration'");
      if (!mark.Next()) return false;
    }
    const std::string begun = ReadMigrationMark(*connection_);
    if (begun != source) return Fail(OtherSource("\"" + copy_ + "\"", begun, "delete it"));
    resumed_ = true;
    return true;
  });
}

void FileTarget::CountOnAfter(const SharedTable& table, std::int64_t number) {
  if (table.numbering != Numbering::kNeverAgain) return;
  const std::string_view name = table.name;
  Run(*connection_, "DELETE FROM sqlite_sequence WHERE name = ?1", name);
  if (number == 0) return;
  Run(*connection_, "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", name, number);
}

Expected<void> FileTarget::Close() {
  const auto findings = sqlite::IntegrityFindings(connection_->database(), 1);
  if (!findings) return Fail(findings.error());
  if (!findings->empty()) {
    return Fail(Code::kInternal, "the copy is damaged: " + findings->front());
  }
  return Attempt("close the copy", [&]() -> Expected<void> {
    connection_->BeginWrite();
    RemoveMigrationMark(*connection_);
    connection_->Commit();
    SQLite::Database& database = connection_->database();
    const int busy = database.execAndGet("PRAGMA wal_checkpoint(TRUNCATE)").getInt();
    if (busy != 0) return Fail(Code::kUnavailable, "another program has \"" + copy_ + "\" open");
    return {};
  });
}

Expected<void> FileTarget::Finish() {
  if (auto closed = Close(); !closed) return closed;
  connection_.reset();
  // The copy's files are empty; the files beside the final name belong to a deleted database, and
  // must not be read as files of the copy.
  for (const char* suffix : {"-wal", "-shm"}) {
    ::unlink((copy_ + suffix).c_str());
    ::unlink((path_ + suffix).c_str());
  }
  std::ignore = TakeCleanMark(path_);
  GiveToFolderOwner(copy_);
  if (auto named = MoveWithoutReplacing(copy_, path_); !named) return named;
  SyncFolder(fs::path(path_).parent_path().string());
  return {};
}

}  // namespace

Expected<std::unique_ptr<MigrationTarget>> OpenFileTarget(const std::string& path,
                                                          const std::string& source) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored))) {
    return ExistsAlready(path);
  }
  if (!fs::path(path).has_filename()) {
    return Fail(Code::kInvalidArgument, "\"" + path + "\" is not the name of a file");
  }
  auto lock = LockForUpkeep(path, "migrate the store");
  if (!lock) return Fail(lock.error());
  auto target = std::make_unique<FileTarget>(path, std::move(*lock));
  if (auto begun = target->Begin(source); !begun) return Fail(begun.error());
  return target;
}

}  // namespace bindery::store
