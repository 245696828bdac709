#include "sqlite/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/private_file.h"
#include "core/text/schema_steps.h"

namespace bindery::sqlite {
namespace {

constexpr std::string_view kMemory = ":memory:";

Code CodeOfErrno(int error) {
  if (error == EACCES || error == EPERM || error == EROFS) return Code::kPermissionDenied;
  if (error == ENOSPC || error == EDQUOT) return Code::kResourceExhausted;
  if (error == ENOENT) return Code::kNotFound;
  return Code::kFailedPrecondition;
}

std::string ErrnoText(int error) { return std::generic_category().message(error); }

/// Makes the file before SQLite does, because SQLite would use the umask's mode.
Expected<void> CreateFile(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::error_code failure;
  if (!parent.empty()) std::filesystem::create_directories(parent, failure);
  if (failure) {
    return Fail(CodeOfErrno(failure.value()), "cannot make the folder " +
                                                  internal::QuotedPath(parent.string()) + ": " +
                                                  failure.message());
  }
  const int file = OpenPrivateFile(path, O_RDWR | O_CREAT);
  if (file < 0) {
    const int error = errno;
    return Fail(CodeOfErrno(error), "cannot open the database " + internal::QuotedPath(path) +
                                        ": " + PrivateFileFailure(error));
  }
  ::close(file);
  return {};
}

/// Refuses a link in place of a file beside the database, and takes the rights of further users
/// from the file. A program that opened the database while its mode was wider gave the file that
/// mode.
///
/// The file is not opened: to close it would end the locks of this process's other connections.
Expected<void> ProtectFileBeside(const std::string& path, const std::string& beside) {
  struct stat found = {};
  if (::lstat(beside.c_str(), &found) != 0) return {};
  const std::string begin = "cannot open the database " + internal::QuotedPath(path) + ": " +
                            internal::QuotedPath(beside) + " ";
  if (!S_ISREG(found.st_mode)) {
    return Fail(Code::kFailedPrecondition,
                begin + (S_ISLNK(found.st_mode)
                             ? "is a link, and bindery follows no link there: put the file that it "
                               "leads to in its place"
                             : "is not a regular file: move it away"));
  }
  if ((found.st_mode & S_IRWXO) == 0) return {};
  const int changed = ::fchmodat(AT_FDCWD, beside.c_str(), found.st_mode & (S_IRWXU | S_IRWXG),
                                 AT_SYMLINK_NOFOLLOW);
  const int error = errno;
  // An owner who cannot change the mode is on a file system without modes.
  if (changed == 0 || found.st_uid == ::geteuid()) return {};
  return Fail(CodeOfErrno(error), begin +
                                      "belongs to another user and gives rights to all users: "
                                      "take them away with chmod o= " +
                                      internal::QuotedPath(beside));
}

/// As ProtectFileBeside(), for all files that SQLite keeps beside a database.
Expected<void> ProtectFilesBeside(const std::string& path) {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    if (auto safe = ProtectFileBeside(path, path + suffix); !safe) return safe;
  }
  return {};
}

/// SQLite's own text for an unreadable file names no cause; this check does.
Expected<void> CheckReadable(const std::string& path) {
  if (::access(path.c_str(), R_OK) == 0) return {};
  const int error = errno;
  if (error == ENOENT || error == ENOTDIR) {
    return Fail(Code::kNotFound, "there is no database " + internal::QuotedPath(path));
  }
  return Fail(CodeOfErrno(error),
              "cannot read the database " + internal::QuotedPath(path) + ": " + ErrnoText(error));
}

/// Why SQLite would not write to a file with the header, however sound the rest is; empty: the
/// header is no reason. The format: https://www.sqlite.org/fileformat2.html, 1.3.
std::string HeaderFault(const std::string& path) {
  constexpr std::size_t kWriteVersion = 18;
  constexpr std::size_t kReadVersion = 19;
  constexpr std::size_t kSchemaFormat = 44;  // Four bytes, the highest first.
  constexpr std::array<unsigned char, 4> kNewestSchema{0, 0, 0, 4};
  std::array<char, 48> header{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(header.data(), header.size())) return {};
  const auto byte = [&header](std::size_t at) { return static_cast<unsigned char>(header.at(at)); };
  if (byte(kWriteVersion) > 2 || byte(kReadVersion) > 2) {
    return "its header names a version of the format that SQLite does not write";
  }
  const std::array<unsigned char, 4> schema{byte(kSchemaFormat), byte(kSchemaFormat + 1),
                                            byte(kSchemaFormat + 2), byte(kSchemaFormat + 3)};
  return schema > kNewestSchema ? "its header names a form of tables that SQLite does not read"
                                : "";
}

int UserVersion(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

constexpr std::string_view kHasVersion = " has schema version ";

Error OtherTables(const SQLite::Database& database, int version, const std::string& why) {
  Error error;
  error.code = Code::kFailedPrecondition;
  error.message = "the database " + internal::QuotedPath(database.getFilename()) +
                  std::string(kHasVersion) + std::to_string(version) + ", " + why;
  return error;
}

using Texts = std::vector<std::string>;

/// The statements that made the tables and indexes of the database, sorted: SQLite keeps the
/// original text, and edits it where a column is added.
Texts ReadTexts(SQLite::Database& database) {
  Texts texts;
  SQLite::Statement made(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
  while (made.executeStep()) texts.push_back(made.getColumn(0).getString());
  std::ranges::sort(texts);
  return texts;
}

/// As ReadTexts() of a database with the tables of that version.
Texts FindTexts(const Schema& schema, int version) {
  static Mutex mutex;
  // By the statements, as to carry them out costs a millisecond.
  static std::map<std::string, Texts> known;
  const std::string made =
      schema.tables + JoinSteps(schema.steps, schema.first, schema.first, version);
  const MutexLock lock(mutex);
  Texts& texts = known[made];
  if (texts.empty()) {
    SQLite::Database model(std::string(kMemory), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    model.exec(made);
    texts = ReadTexts(model);
  }
  return texts;
}

bool IsEmpty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
}

void Configure(SQLite::Database& database, const OpenOptions& options) {
  database.setBusyTimeout(static_cast<int>(options.busy_timeout.count()));
  database.exec("PRAGMA foreign_keys = ON");
  if (options.read_only) {
    // The first look at the file: says whether it is a database at all.
    database.execAndGet("PRAGMA schema_version");
    return;
  }
  database.execAndGet("PRAGMA journal_mode = WAL");
  database.exec(options.durability == Durability::kFull ? "PRAGMA synchronous = FULL"
                                                        : "PRAGMA synchronous = NORMAL");
}

Expected<std::unique_ptr<SQLite::Database>> Connect(const std::string& path,
                                                    const std::string& name, int flags,
                                                    const OpenOptions& options) {
  return Attempt("open the database " + internal::QuotedPath(path), [&] {
    auto database = std::make_unique<SQLite::Database>(name, flags);
    Configure(*database, options);
    return database;
  });
}

/// Even to read a WAL database SQLite makes a -shm file beside it. Where it may not, and nothing
/// waits in a -wal file, the database can be read as it stands.
bool CannotKeepWalIndex(const std::string& path, const Error& failure) {
  if (failure.code != Code::kPermissionDenied) return false;
  std::error_code missing;
  const auto waiting = std::filesystem::file_size(path + "-wal", missing);
  return missing || waiting == 0;
}

std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Code GetCode(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
      return Code::kUnavailable;
    case SQLITE_INTERRUPT:
      return Code::kCancelled;
    case SQLITE_CONSTRAINT:
      return Code::kAlreadyExists;
    case SQLITE_FULL:
      return Code::kResourceExhausted;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return Code::kPermissionDenied;
    default:
      return Code::kInternal;
  }
}

bool IsDamage(int sqlite_code) {
  return (sqlite_code & 0xff) == SQLITE_CORRUPT || (sqlite_code & 0xff) == SQLITE_NOTADB;
}

Error ToError(std::string_view doing, const std::exception& failure) {
  Error error;
  error.message = doing;
  error.message += ": ";
  if (const auto* sqlite = dynamic_cast<const SQLite::Exception*>(&failure)) {
    error.code = GetCode(sqlite->getErrorCode());
    if (IsDamage(sqlite->getErrorCode())) error.message += "the database is damaged: ";
  }
  error.message += failure.what();
  return error;
}

bool SaysOtherTables(const Error& error) {
  return error.code == Code::kFailedPrecondition &&
         error.message.find(kHasVersion) != std::string::npos;
}

bool SaysDamaged(const Error& error) {
  return error.code == Code::kInternal && error.message.find("is damaged") != std::string::npos;
}

Expected<std::unique_ptr<SQLite::Database>> OpenDatabase(const std::string& path,
                                                         const OpenOptions& options) {
  const bool in_memory = path == kMemory;
  std::error_code ignored;
  if (!in_memory && std::filesystem::is_directory(path, ignored)) {
    return Fail(Code::kFailedPrecondition,
                "cannot open the database " + internal::QuotedPath(path) + ": it is a folder");
  }
  if (!in_memory) {
    if (auto ready = options.read_only ? CheckReadable(path) : CreateFile(path); !ready) {
      return Fail(ready.error());
    }
  }
  if (!in_memory && !options.read_only) {
    if (auto safe = ProtectFilesBeside(path); !safe) return Fail(safe.error());
  }
  // One thread at a time uses a connection: SQLite need not lock it for each column read.
  const int access =
      options.read_only ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
  const int flags = access | SQLite::OPEN_NOMUTEX;
  auto opened = Connect(path, path, flags, options);
  if (!opened && options.read_only && CannotKeepWalIndex(path, opened.error())) {
    opened = Connect(path, ImmutableUri(path), flags | SQLite::OPEN_URI, options);
  }
  if (!opened || !options.quick_check) return opened;
  if (auto sound = QuickCheck(**opened); !sound) return Fail(sound.error());
  return opened;
}

Expected<TablesState> FindTables(SQLite::Database& database, const Schema& schema) {
  return Attempt(
      "read the database " + internal::QuotedPath(database.getFilename()),
      [&]() -> Expected<TablesState> {
        const int found = UserVersion(database);
        if (found == 0 && IsEmpty(database)) return TablesState::kNone;
        if (found > schema.version() && found < schema.used_below) {
          return TablesState::kReady;
        }
        if (found < schema.first || found > schema.version()) {
          return Fail(OtherTables(
              database, found, "this program reads version " + std::to_string(schema.version())));
        }
        if (!std::ranges::includes(ReadTexts(database), FindTexts(schema, found))) {
          return Fail(OtherTables(database, found, "but other tables than this program makes"));
        }
        return found == schema.version() ? TablesState::kReady : TablesState::kOlder;
      });
}

Expected<void> MakeTables(SQLite::Database& database, const Schema& schema) {
  return Attempt(
      "make the tables of " + internal::QuotedPath(database.getFilename()),
      [&]() -> Expected<void> {
        // Immediate: waits for a second process that makes the tables at the same time.
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        const auto there = FindTables(database, schema);
        if (!there) return Fail(there.error());
        if (*there == TablesState::kReady) return {};
        if (*there == TablesState::kNone) database.exec(schema.tables);
        const int made = *there == TablesState::kNone ? schema.first : UserVersion(database);
        database.exec(JoinSteps(schema.steps, schema.first, made, schema.version()));
        database.exec("PRAGMA user_version = " + std::to_string(schema.version()));
        transaction.commit();
        return {};
      });
}

Expected<void> QuickCheck(SQLite::Database& database) {
  const std::string name = internal::QuotedPath(database.getFilename());
  return Attempt("check the database " + name, [&]() -> Expected<void> {
    if (const std::string fault = HeaderFault(database.getFilename()); !fault.empty()) {
      return Fail(Code::kInternal, "the database " + name + " is damaged: " + fault);
    }
    const std::string finding = database.execAndGet("PRAGMA quick_check(1)").getString();
    if (finding == "ok") return {};
    return Fail(Code::kInternal, "the database " + name + " is damaged: " + finding);
  });
}

}  // namespace bindery::sqlite
