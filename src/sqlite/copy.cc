#include "sqlite/copy.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/private_file.h"

namespace bindery::sqlite {
namespace {

/// Made before SQLite could, because SQLite would use the umask's mode and accept an existing file.
Expected<void> MakeNewFile(const std::string& path) {
  const int file = OpenPrivateFile(path, O_RDWR | O_CREAT | O_EXCL);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  const std::error_code failure{errno, std::generic_category()};
  Code code = Code::kFailedPrecondition;
  if (failure == std::errc::file_exists) code = Code::kAlreadyExists;
  if (failure == std::errc::no_such_file_or_directory) code = Code::kNotFound;
  if (failure == std::errc::permission_denied || failure == std::errc::read_only_file_system) {
    code = Code::kPermissionDenied;
  }
  if (failure == std::errc::no_space_on_device) code = Code::kResourceExhausted;
  return Fail(code, "cannot make " + internal::QuotedPath(path) + ": " + failure.message());
}

void CopyPages(SQLite::Database& from, SQLite::Database& to) {
  // A half-written copy is thrown away whole and needs no journal. In one step, which a writer
  // cannot make begin again.
  to.exec("PRAGMA journal_mode = OFF");
  to.exec("PRAGMA synchronous = OFF");
  const int result = SQLite::Backup(to, from).executeStep(-1);
  if (result != SQLITE_DONE) throw SQLite::Exception(from.getHandle(), result);
}

/// A separate file: like the original, the copy says that it keeps a -wal file.
void LeaveWal(const std::string& path) {
  SQLite::Database copy(path, SQLite::OPEN_READWRITE);
  copy.exec("PRAGMA journal_mode = DELETE");
}

Expected<void> CheckCopy(const std::string& path) {
  auto copy = OpenDatabase(path, {.read_only = true});
  if (!copy) return Fail(copy.error());
  const auto findings = IntegrityFindings(**copy, 1);
  if (!findings) return Fail(findings.error());
  if (findings->empty()) return {};
  return Fail(Code::kInternal, "the copy is damaged: " + findings->front());
}

Expected<void> SyncFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const std::error_code failure{errno, std::generic_category()};
  if (file >= 0) ::close(file);
  if (synced) return {};
  return Fail(Code::kUnavailable,
              "cannot bring " + internal::QuotedPath(path) + " to disk: " + failure.message());
}

Expected<void> FillAndCheck(SQLite::Database& from, const std::string& path) {
  auto copied = Attempt("copy the database to " + internal::QuotedPath(path), [&] {
    {
      SQLite::Database to(path, SQLite::OPEN_READWRITE);
      CopyPages(from, to);
    }
    LeaveWal(path);
  });
  if (!copied) return copied;
  if (auto sound = CheckCopy(path); !sound) return sound;
  return SyncFile(path);
}

}  // namespace

Expected<void> CopyFile(const std::string& from, const std::string& path) {
  OpenOptions options;
  options.read_only = true;
  const auto database = OpenDatabase(from, options);
  if (!database) return Fail(database.error());
  return CopyDatabase(**database, path);
}

Expected<std::vector<std::string>> IntegrityFindings(SQLite::Database& database, std::size_t most) {
  return Attempt("check the database", [&] {
    std::vector<std::string> findings;
    SQLite::Statement check(database, "PRAGMA integrity_check(" + std::to_string(most) + ")");
    while (check.executeStep()) {
      std::string finding = check.getColumn(0).getString();
      if (finding != "ok") findings.push_back(std::move(finding));
    }
    return findings;
  });
}

Expected<void> CopyDatabase(SQLite::Database& from, const std::string& path) {
  if (auto made = MakeNewFile(path); !made) return made;
  auto copied = FillAndCheck(from, path);
  if (copied) return copied;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((path + suffix).c_str());
  return copied;
}

}  // namespace bindery::sqlite
