#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mutex.h"
#include "store/connection.h"
#include "store/engine.h"
#include "store/store.h"

namespace bindery::store {

/// The reading half of a store in a database: one read at a time on a connection that is kept, and
/// large reads on connections of their own.
class SqlReads : public Store {
 public:
  [[nodiscard]] Expected<std::vector<ResourceRecord>> Resources() const override;
  [[nodiscard]] Expected<std::optional<ResourceRecord>> Resource(
      const std::string& name) const override;
  [[nodiscard]] Expected<std::vector<TargetRecord>> Targets() const override;
  [[nodiscard]] Expected<std::vector<DriftRecord>> Drift(const DriftFilter& filter) const override;
  [[nodiscard]] Expected<std::unique_ptr<DriftSnapshot>> SnapshotDrift() const override;
  [[nodiscard]] Expected<std::vector<std::pair<std::int64_t, Event>>> Events(
      const EventFilter& filter) const override;
  [[nodiscard]] Expected<std::vector<JournalEntry>> Journal(const JournalPage& page) const override;
  [[nodiscard]] Expected<std::vector<WebhookRecord>> Webhooks() const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> Revisions(const Target& target,
                                                                bool with_policy) const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> RevisionsInForce(WallTime at) const override;
  [[nodiscard]] Expected<RevisionRecord> Revision(std::int64_t id) const override;
  [[nodiscard]] Expected<std::string> Policy(const std::string& digest) const override;
  [[nodiscard]] Expected<std::vector<HoldRecord>> Holds() const override;
  [[nodiscard]] Expected<std::vector<IntentRecord>> OpenIntents() const override;
  [[nodiscard]] Expected<std::vector<RemovalRecord>> Removals(WallTime since) const override;
  [[nodiscard]] Expected<std::vector<RollbackRecord>> Rollbacks() const override;
  [[nodiscard]] Expected<std::optional<GenerationRecord>> LastGeneration() const override;
  [[nodiscard]] Expected<std::vector<GenerationRecord>> OlderGenerations() const override;
  [[nodiscard]] Expected<std::vector<ManifestProblemRecord>> Problems() const override;
  [[nodiscard]] Expected<std::vector<ReplicaRecord>> Replicas() const override;
  [[nodiscard]] Expected<EvidenceRecord> Evidence() const override;
  [[nodiscard]] Expected<StoreCounts> Counts() const override;

  [[nodiscard]] Expected<std::vector<AuditEntry>> AuditEntries(
      const AuditFilter& filter) const override;
  [[nodiscard]] Expected<std::vector<AuditFile>> AuditFiles() const override;
  Expected<void> ReadResources(const std::function<void(ResourceRecord&&)>& take) const override;
  Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const override;
  Expected<void> ReadFiles(const std::function<void(FileRecord&&)>& take) const override;

 protected:
  SqlReads(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> reader)
      : engine_(std::move(engine)), reader_(std::move(reader)) {}

  [[nodiscard]] Engine& engine() const { return *engine_; }

  /// Tells the engine of a failure.
  void Note(const Expected<void>& result) const;

  Expected<bool> PutBackFromReader();
  void CloseReader();

 private:
  /// Runs `read` on the connection that is kept; failures begin with "read <what>: ".
  template <typename F>
  auto Read(std::string_view what, F&& read) const;

  /// The same on a connection for this one read.
  template <typename F>
  Expected<void> ReadApart(std::string_view what, F&& read) const;

  const std::unique_ptr<Engine> engine_;
  mutable Mutex reader_mutex_;
  std::unique_ptr<Connection> reader_ GUARDED_BY(reader_mutex_);
};

}  // namespace bindery::store
