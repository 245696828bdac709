#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "store/sql/connection.h"
#include "store/witness/run_mark.h"

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

  /// From now on counts the transactions that change something, as writes of the run.
  void CountFor(std::shared_ptr<RunMark> run) { run_ = std::move(run); }

  /// Statements fail with kCancelled soon after `ended` was set, which outlives the connection.
  void EndWhen(const std::atomic<bool>& ended);

  [[nodiscard]] Statement& Prepared(const char* sql) override;
  /// As it is: what RETURNING gives goes through a table in memory, at two thirds of the cost of
  /// the whole INSERT.
  [[nodiscard]] Statement& PreparedInsert(const char* sql) override { return Prepared(sql); }
  void BeginRead() override;
  void BeginWrite() override;
  void Settle() override {}
  /// kUnavailable when the store was put back to an older state than the run
  /// wrote.
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
  std::shared_ptr<RunMark> run_;     ///< Null: it counts for none.
  std::int64_t changes_before_ = 0;  ///< The transaction under way.
  std::unordered_map<const char*, std::unique_ptr<Statement>> statements_;
};

}  // namespace bindery::store
