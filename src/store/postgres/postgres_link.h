#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "store/postgres/link_protection.h"

struct pg_conn;    // NOLINT(readability-identifier-naming): the library's spelling
struct pg_result;  // NOLINT(readability-identifier-naming): the library's spelling

namespace bindery::store {

struct ResultDeleter {
  void operator()(pg_result* result) const;
};
using PostgresResult = std::unique_ptr<pg_result, ResultDeleter>;

/// The statement gave a row, or more.
[[nodiscard]] bool HasRow(const PostgresResult& result);

/// A statement with parameters $1, $2, …
struct PostgresText {
  std::string sql;
  std::string name;             ///< It is prepared under that name; empty: it is sent whole.
  std::vector<unsigned> types;  ///< Of its parameters.
};

/// The parameters of one execution, in the binary format.
struct PostgresParameters {
  std::vector<std::string> values;
  std::vector<bool> nulls;
};

/// One session with a PostgreSQL server, by libpq. It is never made again by itself: what is lost
/// with a session (transactions, prepared statements) is lost knowingly. Every wait has an end. For
/// a single thread at a time. All functions but Connect() throw EngineError; after one of
/// kUnavailable that alive() confirms, the session is over.
class PostgresLink {
 public:
  /// Most that a statement may take before the session is given up.
  static constexpr std::chrono::milliseconds kPatience{45'000};

  /// `url` is a connection URI or string of libpq, which also reads PGPASSWORD, PGPASSFILE and its
  /// other variables. The server must take writes. kUnavailable, kPermissionDenied (signing in),
  /// kNotFound (no such database), kInvalidArgument (no URL).
  [[nodiscard]] static Expected<std::unique_ptr<PostgresLink>> Connect(
      const std::string& url, std::chrono::milliseconds patience = kPatience);

  ~PostgresLink();
  PostgresLink(const PostgresLink&) = delete;
  PostgresLink& operator=(const PostgresLink&) = delete;

  [[nodiscard]] bool alive() const;
  [[nodiscard]] bool in_transaction() const;
  /// Asks whether a pooler stands between, which may carry out each transaction in another session
  /// of the server: what is of a session (statements with a name, settings, locks) is lost then.
  [[nodiscard]] bool IsPooled();
  [[nodiscard]] LinkProtection protection() const;
  /// Since the last call: the server gave up waiting for its standby, so that committed
  /// transactions may be lost with the server.
  [[nodiscard]] bool TakeUnreplicated();

  /// Statements fail soon after `ended` was set, which outlives the session.
  void EndWhen(const std::atomic<bool>& ended) { ended_ = &ended; }

  /// Runs one or more statements without parameters and gives the result of the last.
  PostgresResult Run(const std::string& sql) { return Run(sql, patience_); }
  PostgresResult Run(const std::string& sql, std::chrono::milliseconds patience);

  /// Within a transaction: prepares a statement with a name, and fills in the types.
  void Prepare(PostgresText& text);

  PostgresResult Execute(const PostgresText& text, const PostgresParameters& parameters);

  struct Deferred {
    const PostgresText* text = nullptr;
    PostgresParameters parameters;
  };
  /// Executes all in one flight. The first failure is thrown.
  void ExecuteAll(const std::vector<Deferred>& statements);

 private:
  PostgresLink(pg_conn* connection, std::chrono::milliseconds patience);

  /// Waits for the sent data: the last result, or the first failure.
  PostgresResult Await(std::chrono::milliseconds patience);
  PostgresResult NextResult(std::chrono::steady_clock::time_point deadline);
  /// The time to wait at once, until reads may have ended. Throws when nothing is left.
  std::chrono::milliseconds Patience(std::chrono::steady_clock::time_point deadline);
  void Send(const PostgresText& text, const PostgresParameters& parameters);
  void CheckSent(int sent);
  [[noreturn]] void ThrowFailure(const PostgresResult& result);
  [[noreturn]] void ThrowLost(const std::string& why);

  pg_conn* const connection_;
  const std::chrono::milliseconds patience_;
  const std::atomic<bool>* ended_ = nullptr;  ///< Null: they never end by it.
  bool given_up_ = false;
  bool unreplicated_ = false;
};

}  // namespace bindery::store
