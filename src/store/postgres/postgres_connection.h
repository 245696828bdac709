#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "store/postgres/postgres_flight.h"
#include "store/postgres/postgres_ids.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_sql.h"
#include "store/sql/connection.h"
#include "store/witness/run_mark.h"

namespace bindery::store {

class PostgresStatement;

/// The facts about a session for its statements.
struct PostgresSession {
  std::uint64_t number = 1;
  bool pooled = false;
  std::string server = {};                   ///< As kServer tells of the transaction under way.
  const std::atomic<bool>* ended = nullptr;  ///< Once it is set they fail; null: never by it.
};

/// A connection to a PostgreSQL database. Between transactions a session that was lost is made
/// again; within one, everything fails until it is undone.
///
/// Statements without a result are gathered and sent in one flight: over a network a round trip
/// costs more than all. So are rows whose id is to be known: ids are drawn from the sequences of
/// their tables beforehand, many at a time.
class PostgresConnection final : public Connection {
 public:
  /// Makes its session with its first transaction. `fence` is a SELECT that gives a row as long as
  /// this program may write, and locks that row against who would take that right: Lease::fence().
  /// Empty: it is for reading, of a store of the program's version. `in_force` is a condition that
  /// a server must fulfil to be read: Lease::in_force(); empty: none. Transactions are counted as
  /// writes of `run`; null: they are not. Statements fail soon after `ended` was set, which
  /// outlives the connection; null: they do not.
  explicit PostgresConnection(std::string url, std::string fence = {}, std::string in_force = {},
                              std::shared_ptr<RunMark> run = nullptr,
                              const std::atomic<bool>* ended = nullptr);
  ~PostgresConnection() override;
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  [[nodiscard]] Statement& Prepared(const char* sql) override;
  [[nodiscard]] Statement& PreparedInsert(const char* sql) override;
  /// kUnavailable where a standby answers, or a server that does not hold the lease. A later
  /// statement of the transaction that another server carries out fails with it too.
  void BeginRead() override;
  /// kFailedPrecondition when the fence gives no row, or the database was put back to an older
  /// state than the run has written.
  void BeginWrite() override;
  void Settle() override;
  /// Where the session is lost with the answer, the outcome of the transaction is found out.
  void Commit() override;
  void Rollback() noexcept override;
  void Savepoint() override;
  void RollbackToSavepoint() override;
  void ReleaseSavepoint() override;
  [[nodiscard]] bool InTransaction() const override {
    return link_ != nullptr && link_->in_transaction();
  }
  [[nodiscard]] bool IsRemote() const override { return true; }
  [[nodiscard]] bool AsksBefore() const override { return in_savepoint_; }
  [[nodiscard]] std::int64_t LastGiven(const char* table) override;
  [[nodiscard]] std::int64_t LastEvent() override;

 private:
  friend class PostgresStatement;

  /// Runs `sql`, the begin of a transaction, on a session that is made anew when lost.
  PostgresResult Begin(const std::string& sql);
  /// Prepares the statement unless prepared; `make` is called once for the text.
  Statement& Prepare(const char* sql, const std::function<PostgresSql()>& make);
  void Reconnect();
  void Defer(PostgresLink::Deferred statement);
  [[nodiscard]] bool WasCommitted();
  [[nodiscard]] PostgresResult Execute(const PostgresText& text,
                                       const PostgresParameters& parameters);

  const std::string url_;
  const std::string fence_;
  const std::string in_force_;
  const std::shared_ptr<RunMark> run_;
  std::unique_ptr<PostgresLink> link_;  ///< Null until the first transaction.
  std::string change_id_;               ///< Of the transaction under way.
  PostgresSession session_;
  std::uint64_t commits_ = 0;
  bool in_savepoint_ = false;
  PostgresFlight flight_;
  PostgresIds ids_;
  std::unordered_map<const char*, std::unique_ptr<PostgresStatement>> statements_;
};

}  // namespace bindery::store
