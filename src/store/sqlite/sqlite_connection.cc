#include "store/sqlite/sqlite_connection.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <utility>

#include "sqlite/database.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

[[noreturn]] void ThrowFailure(sqlite3* handle, int result) {
  using Cause = EngineError::Cause;
  const SQLite::Exception failure(handle, result);
  Cause cause = Cause::kOther;
  if (failure.getExtendedErrorCode() == SQLITE_CONSTRAINT_UNIQUE) cause = Cause::kNotUnique;
  if (sqlite::IsDamage(result)) cause = Cause::kDamaged;
  throw EngineError(sqlite::GetCode(result), cause, failure.what());
}

class SqliteStatement final : public Statement {
 public:
  SqliteStatement(sqlite3* handle, const char* sql) : handle_(handle) {
    const int result =
        sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
    if (result != SQLITE_OK) ThrowFailure(handle, result);
  }
  ~SqliteStatement() override { sqlite3_finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  void BindInt(int index, std::int64_t value) override {
    sqlite3_bind_int64(statement_, index, value);
  }
  void BindText(int index, std::string_view value) override {
    const auto result = sqlite3_bind_text64(statement_, index, Start(value), value.size(),
                                            SQLITE_STATIC, SQLITE_UTF8);
    if (result != SQLITE_OK) ThrowFailure(handle_, result);
  }
  void BindBlob(int index, std::string_view value) override {
    sqlite3_bind_blob64(statement_, index, Start(value), value.size(), SQLITE_STATIC);
  }
  void BindCopy(int index, std::string_view blob) override {
    sqlite3_bind_blob64(statement_, index, Start(blob), blob.size(), SQLITE_TRANSIENT);
  }
  void BindNull(int index) override { sqlite3_bind_null(statement_, index); }

  bool Step() override {
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    ThrowFailure(handle_, result);
  }
  [[nodiscard]] std::int64_t Changed() const override { return sqlite3_changes64(handle_); }
  void Defer() override {
    while (Step()) {
    }
  }
  [[nodiscard]] std::int64_t Insert() override {
    Defer();
    return sqlite3_last_insert_rowid(handle_);
  }
  // The result only repeats the failure of the execution before, which was thrown already.
  void Reset() override { sqlite3_reset(statement_); }

  [[nodiscard]] bool IsInt(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
  }
  [[nodiscard]] bool IsBlob(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_BLOB;
  }
  [[nodiscard]] bool IsNull(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  [[nodiscard]] std::int64_t Int(int column) const override {
    return sqlite3_column_int64(statement_, column);
  }
  [[nodiscard]] std::string_view View(int column) const override {
    const void* bytes = sqlite3_column_blob(statement_, column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  /// A null pointer would be bound as NULL.
  static const char* Start(std::string_view value) {
    return value.data() == nullptr ? "" : value.data();
  }

  sqlite3* const handle_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

SqliteConnection::SqliteConnection(std::unique_ptr<SQLite::Database> database)
    : database_(std::move(database)) {}

SqliteConnection::~SqliteConnection() = default;

void SqliteConnection::EndWhen(const std::atomic<bool>& ended) {
  constexpr int kInstructions = 1000;  // Of SQLite's machine, between two looks: some 20 us.
  sqlite3_progress_handler(
      database_->getHandle(), kInstructions,
      [](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0; },
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a C function takes it, and reads it
      const_cast<std::atomic<bool>*>(&ended));
}

Statement& SqliteConnection::Prepared(const char* sql) {
  auto& kept = statements_[sql];
  if (kept == nullptr) kept = std::make_unique<SqliteStatement>(database_->getHandle(), sql);
  return *kept;
}

void SqliteConnection::BeginRead() { Run(*this, "BEGIN"); }

void SqliteConnection::BeginWrite() {
  Run(*this, "BEGIN IMMEDIATE");
  changes_before_ = sqlite3_total_changes64(database_->getHandle());
}

void SqliteConnection::Commit() {
  const bool counts =
      run_ != nullptr && sqlite3_total_changes64(database_->getHandle()) != changes_before_;
  if (counts &&
      RunCounting(*this, "UPDATE runs SET writes = writes + 1 WHERE id = ?1 AND writes >= ?2",
                  run_->run(), run_->writes()) == 0) {
    run_->NoteOlder();
    throw EngineError(Code::kUnavailable, EngineError::Cause::kOther, kPutBack);
  }
  Run(*this, "COMMIT");
  if (counts) run_->NoteCommit();
}

void SqliteConnection::Rollback() noexcept {
  if (!InTransaction()) return;
  try {
    Run(*this, "ROLLBACK");
  } catch (const EngineError&) {
    // The end of the connection undoes the transaction.
  }
}

void SqliteConnection::Savepoint() { Run(*this, "SAVEPOINT change"); }

void SqliteConnection::RollbackToSavepoint() { Run(*this, "ROLLBACK TO change"); }

void SqliteConnection::ReleaseSavepoint() { Run(*this, "RELEASE change"); }

bool SqliteConnection::InTransaction() const {
  return sqlite3_get_autocommit(database_->getHandle()) == 0;
}

std::int64_t SqliteConnection::LastGiven(const char* table) {
  Query query(*this, "SELECT seq FROM sqlite_sequence WHERE name = ?1", std::string_view(table));
  return query.Next() ? query.Int(0) : 0;
}

std::int64_t SqliteConnection::LastEvent() { return LastGiven("events"); }

}  // namespace bindery::store
