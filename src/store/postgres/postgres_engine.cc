#include "store/postgres/postgres_engine.h"

#include <utility>

#include "store/postgres/postgres_check_help.h"
#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_requests.h"
#include "store/tables/migration_tables.h"

namespace bindery::store {
namespace {

constexpr const char* kReplicas = R"sql(
SELECT r.id, r.host, r.version, floor(extract(epoch FROM r.started) * 1000)::bigint,
  floor(extract(epoch FROM r.seen) * 1000)::bigint,
  greatest(0, floor(extract(epoch FROM clock_timestamp() - r.seen) * 1000))::bigint, r.dead,
  coalesce(l.epoch, 0)
FROM replicas r LEFT JOIN lease l ON l.holder = r.id
ORDER BY coalesce(l.epoch, 0) DESC, r.started, r.id
)sql";

}  // namespace

PostgresEngine::PostgresEngine(std::string url, std::unique_ptr<Lease> lease)
    : url_(std::move(url)), lease_(std::move(lease)) {}

Expected<std::unique_ptr<Connection>> PostgresEngine::OpenReader() const {
  return std::make_unique<PostgresConnection>(
      url_, "", lease_ == nullptr ? std::string() : lease_->in_force(), nullptr, &reads_ended());
}

void PostgresEngine::Begin(WitnessedRun run, bool older) {
  lease_->Require(run.shared());
  run_ = std::move(run);
  older_ = older;
}

std::unique_ptr<Connection> PostgresEngine::OpenWriter() const {
  return std::make_unique<PostgresConnection>(url_, lease_->fence(), "",
                                              run_ ? run_->shared() : nullptr);
}

Expected<void> PostgresEngine::MayAct() const {
  if (lease_->holds()) return {};
  return Fail(Code::kUnavailable, lease_->Why());
}

Expected<void> PostgresEngine::ConfirmCommit() const {
  auto held = MayAct();
  if (held && run_) run_->Note();
  return held;
}

void PostgresEngine::Closed() {
  if (run_) run_->End();
}

std::vector<ReplicaRecord> PostgresEngine::Replicas(Connection& reader) const {
  std::vector<ReplicaRecord> records;
  Query query(reader, kReplicas);
  while (query.Next()) {
    ReplicaRecord record;
    record.id = query.Text(0);
    record.host = query.Text(1);
    record.version = query.Text(2);
    record.started = query.Time(3);
    record.seen = query.Time(4);
    record.silent = std::chrono::milliseconds(query.Int(5));
    record.replaced = query.Bool(6);
    record.epoch = query.Int(7);
    records.push_back(std::move(record));
  }
  return records;
}

std::unique_ptr<RequestInbox> PostgresEngine::OpenInbox() const {
  if (lease_ == nullptr) return nullptr;
  return std::make_unique<PostgresInbox>(url_, lease_->fence());
}

std::unique_ptr<CheckBatches> PostgresEngine::OpenCheckBatches() const {
  if (lease_ == nullptr) return nullptr;
  return std::make_unique<PostgresCheckBatches>(url_);
}

std::optional<StoreFault> PostgresEngine::Examine(bool /*try_write*/) {
  if (lease_->holds()) {
    if (run_) run_->Note(/*settled=*/true);
    return std::nullopt;
  }
  Error error;
  error.code = Code::kUnavailable;
  error.message = lease_->Why();
  return StoreFault{error, /*lost=*/lease_->lost()};
}

Expected<void> PostgresEngine::TryWrite(Connection& writer) {
  // Not only whether the database takes writes: somebody may hold a lock on some of the tables, as
  // VACUUM FULL does. Its text must outlive the connection.
  static const std::string kLock = [] {
    std::string tables;
    for (const SharedTable& table : SharedTables()) {
      tables += (tables.empty() ? "" : ", ") + std::string(table.name);
    }
    return "LOCK TABLE " + tables + " IN ROW EXCLUSIVE MODE NOWAIT";
  }();
  Run(writer, kLock.c_str());
  return {};
}

}  // namespace bindery::store
