#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/sql_named_reads.h"

namespace bindery::store {

/// Of a store in a database what starts, reports and commands read: the ports StartupReader and
/// ReportReader.
class SqlReads : public SqlNamedReads {
 public:
  [[nodiscard]] Expected<std::vector<ResourceRecord>> Resources() const override;
  [[nodiscard]] Expected<std::vector<TargetRecord>> Targets() const override;
  [[nodiscard]] Expected<std::vector<DriftRecord>> Drift(const DriftFilter& filter) const override;
  [[nodiscard]] Expected<std::unique_ptr<DriftSnapshot>> SnapshotDrift() const override;
  [[nodiscard]] Expected<std::vector<std::pair<std::int64_t, Event>>> Events(
      const EventFilter& filter) const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> Revisions(const Target& target,
                                                                bool with_policy) const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> FirstRevisions(
      const std::vector<Target>& targets) const override;
  [[nodiscard]] Expected<RevisionRecord> Revision(std::int64_t id) const override;
  [[nodiscard]] Expected<std::vector<HoldRecord>> Holds() const override;
  [[nodiscard]] Expected<std::vector<IntentRecord>> OpenIntents() const override;
  [[nodiscard]] Expected<std::vector<RemovalRecord>> Removals(WallTime since) const override;
  [[nodiscard]] Expected<std::vector<RollbackRecord>> Rollbacks() const override;
  [[nodiscard]] Expected<std::optional<GenerationRecord>> LastGeneration() const override;
  [[nodiscard]] Expected<std::vector<GenerationRecord>> OlderGenerations() const override;
  [[nodiscard]] Expected<std::vector<ManifestProblemRecord>> Problems() const override;
  [[nodiscard]] Expected<std::vector<ReplicaRecord>> Replicas() const override;
  [[nodiscard]] Expected<EvidenceRecord> Evidence() const override;
  [[nodiscard]] Expected<std::vector<AuditEntry>> AuditEntries(
      const AuditFilter& filter) const override;
  Expected<void> ReadRevisionsInForce(
      WallTime at, const std::function<void(RevisionRecord&&)>& take) const override;
  Expected<void> ReadTargets(const std::function<void(TargetRecord&&)>& take) const override;
  Expected<void> ReadResources(const std::function<void(ResourceRecord&&)>& take) const override;
  Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const override;
  Expected<void> ReadFiles(const std::function<void(FileRecord&&)>& take) const override;

 protected:
  SqlReads(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> reader)
      : SqlNamedReads(std::move(engine), std::move(reader)) {}

  [[nodiscard]] Engine& engine() const { return connections().engine(); }
};

}  // namespace bindery::store
