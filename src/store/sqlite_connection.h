#pragma once

#include <memory>
#include <unordered_map>

#include "store/connection.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's spelling
class Database;
}  // namespace SQLite

namespace bindery::store {

/// A connection to an SQLite file. Speaks to SQLite's C functions, because SQLiteCpp's columns cost
/// more than the reading.
class SqliteConnection final : public Connection {
 public:
  explicit SqliteConnection(std::unique_ptr<SQLite::Database> database);
  ~SqliteConnection() override;
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  [[nodiscard]] SQLite::Database& database() { return *database_; }

  [[nodiscard]] Statement& Prepared(const char* sql) override;
  /// As it is: what RETURNING gives goes through a table in memory, at two thirds of the cost of
  /// the whole INSERT.
  [[nodiscard]] Statement& PreparedInsert(const char* sql) override { return Prepared(sql); }
  void BeginRead() override;
  void BeginWrite() override;
  void Settle() override {}
  void Commit() override;
  void Rollback() noexcept override;
  void Savepoint() override;
  void RollbackToSavepoint() override;
  void ReleaseSavepoint() override;
  [[nodiscard]] bool InTransaction() const override;
  [[nodiscard]] bool IsRemote() const override { return false; }
  [[nodiscard]] bool AsksBefore() const override { return false; }
  [[nodiscard]] std::int64_t LastGiven(const char* table) override;
  [[nodiscard]] std::int64_t LastEvent() override;

 private:
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<const char*, std::unique_ptr<Statement>> statements_;
};

}  // namespace bindery::store
