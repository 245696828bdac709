#pragma once

#include <memory>
#include <optional>
#include <string>

#include "store/postgres/lease.h"
#include "store/sql/engine.h"
#include "store/witness/witnessed_run.h"

namespace bindery::store {

/// A store in a PostgreSQL database, shared by replicas: the holder of the lease writes.
class PostgresEngine final : public Engine {
 public:
  /// Without `lease` for reading only.
  PostgresEngine(std::string url, std::unique_ptr<Lease> lease);

  /// The run of a store that is open for writing began; `older`: as StoreHealth::replaced().
  void Begin(WitnessedRun run, bool older);

  [[nodiscard]] Expected<std::unique_ptr<Connection>> OpenReader() const override;
  /// The lease was held until the answer came, so that work waiting for the commit may be done.
  [[nodiscard]] Expected<void> ConfirmCommit() const override;
  [[nodiscard]] Expected<void> MayAct() const override;
  [[nodiscard]] std::vector<ReplicaRecord> Replicas(Connection& reader) const override;
  [[nodiscard]] std::unique_ptr<RequestInbox> OpenInbox() const override;
  [[nodiscard]] std::unique_ptr<CheckBatches> OpenCheckBatches() const override;
  void NoteFailure(const Error& /*error*/) override {}
  [[nodiscard]] bool replaced() const override { return older_; }
  std::optional<StoreFault> Examine(bool try_write) override;
  Expected<bool> PutBack(Connection& /*reader*/) override { return false; }
  Expected<void> TryWrite(Connection& writer) override;
  void Closing() override {}
  void Closed() override;

  /// A connection that writes in the term of the lease.
  [[nodiscard]] std::unique_ptr<Connection> OpenWriter() const;

 private:
  const std::string url_;
  const std::unique_ptr<Lease> lease_;
  std::optional<WitnessedRun> run_;  ///< None before Begin().
  bool older_ = false;
};

}  // namespace bindery::store
