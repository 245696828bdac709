#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/latency_proxy.h"
#include "support/postgres_server.h"

namespace bindery::bench {

/// What a database was asked to do, since it was made.
struct DatabaseWork {
  double statements = 0;   ///< Also BEGIN, SET and COMMIT, as pg_stat_statements counts them.
  double wal_bytes = 0;    ///< Of the whole server.
  double round_trips = 0;  ///< Of all clients of the proxy; 0 without one.
};

[[nodiscard]] DatabaseWork operator-(const DatabaseWork& left, const DatabaseWork& right);

/// A PostgreSQL server with Debian's settings, which counts its statements, and databases on it.
class Database {
 public:
  [[nodiscard]] static bool Installed() { return testing::PostgresServer::Installed(); }

  /// `latency`: of a round trip; zero: clients connect directly.
  explicit Database(std::chrono::milliseconds latency);

  /// Makes a new, empty database, which the others of these functions are about from then on.
  void Begin();

  /// For clients, through the proxy where there is one.
  [[nodiscard]] std::string Url() const;
  [[nodiscard]] DatabaseWork Work() const;
  /// Its tables on disk, with their indexes.
  [[nodiscard]] double Bytes() const;
  /// What the next change of each page adds to the WAL is the whole page.
  void Checkpoint() const;

 private:
  testing::PostgresServer server_;
  std::unique_ptr<LatencyProxy> proxy_;
  std::string direct_url_;
  std::string name_ = "postgres";
  int made_ = 0;
};

}  // namespace bindery::bench
