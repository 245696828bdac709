#include "harness/database.h"

#include <tuple>
#include <vector>

namespace bindery::bench {
namespace {

// Counting needs the library from the start. A commit is on disk before it is answered, as in use.
const std::vector<std::string>& Settings() {
  static const std::vector<std::string> settings = {
      "shared_preload_libraries = 'pg_stat_statements'", "fsync = on", "autovacuum_naptime = 10s"};
  return settings;
}

}  // namespace

DatabaseWork operator-(const DatabaseWork& left, const DatabaseWork& right) {
  return {left.statements - right.statements, left.wal_bytes - right.wal_bytes,
          left.round_trips - right.round_trips};
}

Database::Database(std::chrono::milliseconds latency) : server_(Settings()) {
  std::ignore = server_.Ask("postgres", "CREATE EXTENSION pg_stat_statements");
  if (latency.count() > 0) proxy_ = std::make_unique<LatencyProxy>(server_.Socket(), latency);
}

void Database::Begin() {
  name_ = "run" + std::to_string(++made_);
  direct_url_ = server_.MakeUrl(name_);
}

std::string Database::Url() const {
  if (proxy_ == nullptr) return direct_url_;
  return "postgresql://bindery@/" + name_ + "?host=" + proxy_->host();
}

DatabaseWork Database::Work() const {
  DatabaseWork work;
  work.statements = std::stod(server_.Ask(
      "postgres",
      "SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = "
      "s.dbid WHERE d.datname = '" +
          name_ + "'"));
  work.wal_bytes = std::stod(
      server_.Ask("postgres", "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"));
  if (proxy_ != nullptr) work.round_trips = static_cast<double>(proxy_->RoundTrips());
  return work;
}

double Database::Bytes() const {
  return std::stod(server_.Ask(name_,
                               "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE "
                               "relkind = 'r' AND relnamespace = 'public'::regnamespace"));
}

void Database::Checkpoint() const { std::ignore = server_.Ask("postgres", "CHECKPOINT"); }

}  // namespace bindery::bench
