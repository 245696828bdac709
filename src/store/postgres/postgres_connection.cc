#include "store/postgres/postgres_connection.h"

#include <libpq-fe.h>

#include <thread>
#include <utility>

#include "core/text/random_id.h"
#include "store/postgres/postgres_ground.h"
#include "store/postgres/postgres_opening.h"
#include "store/postgres/postgres_statement.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

// Within the transaction, because a setting of the session reaches other users of a pooled one. A
// program that stands still must not hold the row of its lease for long.
constexpr std::string_view kBeginWrite =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = '30s'; "
    "SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = '10s'";
constexpr std::string_view kBeginRead =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '40s'; "
    "SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = '10min'; ";

/// A transaction begins at once, but for a lock. A pooler may hold up who begins one for as long as
/// it does not reach the server.
constexpr std::chrono::seconds kBeginPatience(15);

/// How long a transaction whose outcome is not known is asked for.
constexpr std::chrono::seconds kLongestDoubt(20);

/// Ends the session: the next transaction begins on a new one.
[[noreturn]] void Refuse(std::unique_ptr<PostgresLink>& link, const char* why) {
  link.reset();
  throw EngineError(Code::kUnavailable, EngineError::Cause::kOther, why);
}

/// The transaction under way began on the server.
void NoteServer(std::unique_ptr<PostgresLink>& link, PostgresSession& session,
                const std::string& server) {
  if (session.server == server) return;
  const bool first = session.server.empty();
  session.server = server;
  if (first) return;
  if (!session.pooled) Refuse(link, "another server took the place of the database");
  // Statements name the server: they are made anew.
  ++session.number;
}

[[noreturn]] void Throw(const Error& error) {
  throw EngineError(error.code, EngineError::Cause::kOther, error.message);
}

}  // namespace

PostgresConnection::PostgresConnection(std::string url, std::string fence, std::string in_force,
                                       std::shared_ptr<RunMark> run, const std::atomic<bool>* ended)
    : url_(std::move(url)),
      fence_(std::move(fence)),
      in_force_(std::move(in_force)),
      run_(std::move(run)),
      session_{.ended = ended} {}

PostgresConnection::~PostgresConnection() = default;

Statement& PostgresConnection::Prepared(const char* sql) {
  return Prepare(sql, [sql] { return ForPostgres(sql); });
}

Statement& PostgresConnection::PreparedInsert(const char* sql) {
  return Prepare(sql, [sql] { return InsertForPostgres(sql); });
}

Statement& PostgresConnection::Prepare(const char* sql, const std::function<PostgresSql()>& make) {
  auto& kept = statements_[sql];
  if (kept == nullptr) {
    kept = std::make_unique<PostgresStatement>(*this, make(),
                                               "bindery_" + std::to_string(statements_.size()));
  }
  kept->Prepare(*link_, session_);
  return *kept;
}

void PostgresConnection::Reconnect() {
  auto link = PostgresLink::Connect(url_);
  if (!link) Throw(link.error());
  if (session_.ended != nullptr) (*link)->EndWhen(*session_.ended);
  if (fence_.empty()) {
    if (auto known = RequirePostgresStore(**link); !known) Throw(known.error());
  }
  session_ = {session_.number + 1, (*link)->IsPooled(), {}, session_.ended};
  ids_.Forget();
  link_ = std::move(*link);
}

PostgresResult PostgresConnection::Begin(const std::string& sql) {
  flight_.Drop();
  if (link_ != nullptr && link_->alive()) {
    try {
      return link_->Run(sql, kBeginPatience);
    } catch (const EngineError&) {
      if (link_->alive()) {
        Rollback();
        throw;
      }
      // The session had ended while nobody used it.
    }
  }
  Reconnect();
  return link_->Run(sql, kBeginPatience);
}

void PostgresConnection::BeginRead() {
  // What was true at connecting need not be: the server behind a pooler may be a different one.
  const PostgresResult found =
      Begin(std::string(kBeginRead) + "SELECT " + kServer + ", pg_is_in_recovery(), " +
            (in_force_.empty() ? "TRUE" : in_force_));
  const auto holds = [&found](int column) {
    return std::string_view(PQgetvalue(found.get(), 0, column)) == "t";
  };
  if (holds(1)) Refuse(link_, "the database is a standby, which may be behind");
  if (!holds(2)) {
    Refuse(link_,
           "the database that answers is not the one that gave this replica its lease, or another "
           "replica has taken the lease since");
  }
  NoteServer(link_, session_, PQgetvalue(found.get(), 0, 0));
}

void PostgresConnection::BeginWrite() {
  change_id_ = RandomId();
  std::string fence = fence_.empty() ? std::string("SELECT ") + kServer : fence_;
  if (run_ != nullptr) fence = "SELECT * FROM (" + fence + ") AS held WHERE " + run_->InPlace();
  const PostgresResult found = Begin(std::string(kBeginWrite) + "; " + fence);
  if (HasRow(found)) return NoteServer(link_, session_, PQgetvalue(found.get(), 0, 0));
  Rollback();
  ids_.Forget();
  throw EngineError(Code::kFailedPrecondition, EngineError::Cause::kOther,
                    "another replica holds the lease of the store, or the store was put back to an "
                    "older state");
}

void PostgresConnection::Defer(PostgresLink::Deferred statement) {
  flight_.Add(std::move(statement));
  if (flight_.IsFull()) Settle();
}

void PostgresConnection::Settle() {
  const auto statements = flight_.Take();
  if (!statements.empty()) link_->ExecuteAll(statements);
}

PostgresResult PostgresConnection::Execute(const PostgresText& text,
                                           const PostgresParameters& parameters) {
  return link_->Execute(text, parameters);
}

void PostgresConnection::Commit() {
  Settle();
  std::string sql = "INSERT INTO applied (change_id) VALUES ('" + change_id_ + "'); ";
  if (run_ != nullptr) {
    // A transaction with an unknown outcome may have counted already.
    sql += "UPDATE runs SET writes = greatest(writes, " + std::to_string(run_->writes()) +
           ") + 1 WHERE id = '" + run_->run() + "'; ";
  }
  constexpr std::uint64_t kPruneEvery = 4096;
  if (commits_++ % kPruneEvery == 0) {
    sql += "DELETE FROM applied WHERE at < now() - interval '1 day'; ";
  }
  try {
    const PostgresResult result = link_->Run(sql + "COMMIT");
    // COMMIT undoes a failed transaction, says so, and succeeds.
    if (std::string_view(PQcmdStatus(result.get())) != "COMMIT") {
      throw EngineError(Code::kInternal, EngineError::Cause::kOther, "the transaction was undone");
    }
  } catch (const EngineError&) {
    if (link_->alive() || !WasCommitted()) throw;
  }
  if (run_ != nullptr) run_->NoteCommit();
  if (link_->TakeUnreplicated()) {
    throw EngineError(Code::kUnavailable, EngineError::Cause::kOther,
                      "the database committed without its standby: a fail-over would lose it");
  }
}

/// Looks for the row that the transaction would have left. The session of the transaction may still
/// be at work: every writing transaction shares the lock of the lease, so getting the lock proves
/// the end.
bool PostgresConnection::WasCommitted() {
  const std::string ask =
      "BEGIN; SET LOCAL lock_timeout = '15s'; SELECT 1 FROM lease FOR UPDATE; "
      "SELECT 1 FROM applied WHERE change_id = '" +
      change_id_ + "'";
  const auto deadline = std::chrono::steady_clock::now() + kLongestDoubt;
  for (;;) {
    try {
      Reconnect();
      const bool found = HasRow(link_->Run(ask));
      link_->Run("ROLLBACK");
      return found;
    } catch (const EngineError&) {
      if (std::chrono::steady_clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
}

void PostgresConnection::Rollback() noexcept {
  flight_.Drop();
  in_savepoint_ = false;
  try {
    if (InTransaction()) link_->Run("ROLLBACK");
  } catch (const EngineError&) {
    // The session is over, and with it the transaction.
  }
}

void PostgresConnection::Savepoint() {
  Settle();
  link_->Run("SAVEPOINT change");
  in_savepoint_ = true;
}

void PostgresConnection::RollbackToSavepoint() {
  flight_.Drop();
  link_->Run("ROLLBACK TO SAVEPOINT change");
}

void PostgresConnection::ReleaseSavepoint() {
  Settle();
  in_savepoint_ = false;
  link_->Run("RELEASE SAVEPOINT change");
}

std::int64_t PostgresConnection::LastGiven(const char* table) {
  if (const std::int64_t given = ids_.LastGiven(table); given != 0) return given;
  const std::string sql =
      std::string("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ") + table +
      "_id_seq";
  Settle();
  const PostgresResult result = link_->Run(OnServer(sql, session_.server));
  return std::stoll(PQgetvalue(result.get(), 0, 0));
}

/// A sequence is not part of any transaction: the row of its number may come later, or never.
std::int64_t PostgresConnection::LastEvent() {
  Settle();
  const PostgresResult result = link_->Run(OnServer(
      "SELECT greatest(0, (SELECT max(id) FROM events), (SELECT max(cursor) FROM webhooks))",
      session_.server));
  return std::stoll(PQgetvalue(result.get(), 0, 0));
}

}  // namespace bindery::store
