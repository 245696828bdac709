#include "store/sql_reads.h"

#include <utility>

#include "store/tables/drift_snapshot.h"
#include "store/tables/read_ahead.h"
#include "store/tables/reads.h"

namespace bindery::store {

Expected<std::vector<ResourceRecord>> SqlReads::Resources() const {
  return connections().Read("resources", store::ReadResources);
}

Expected<std::vector<TargetRecord>> SqlReads::Targets() const {
  return connections().Read("targets", store::ReadTargets);
}

Expected<std::vector<DriftRecord>> SqlReads::Drift(const DriftFilter& filter) const {
  return connections().Read("drift",
                            [&](Connection& connection) { return ReadDrift(connection, filter); });
}

Expected<std::unique_ptr<DriftSnapshot>> SqlReads::SnapshotDrift() const {
  return SqlDriftSnapshot::Open(connections().engine());
}

Expected<std::vector<std::pair<std::int64_t, Event>>> SqlReads::Events(
    const EventFilter& filter) const {
  return connections().Read("events",
                            [&](Connection& connection) { return ReadEvents(connection, filter); });
}

Expected<std::vector<RevisionRecord>> SqlReads::Revisions(const Target& target,
                                                          bool with_policy) const {
  return connections().Read("revisions", [&](Connection& connection) {
    return ReadRevisions(connection, target, {.with_policy = with_policy});
  });
}

Expected<void> SqlReads::ReadRevisionsInForce(
    WallTime at, const std::function<void(RevisionRecord&&)>& take) const {
  return connections().ReadApart(
      "revisions", [&](Connection& connection) { EachRevisionInForce(connection, at, take); });
}

Expected<std::vector<RevisionRecord>> SqlReads::FirstRevisions(
    const std::vector<Target>& targets) const {
  return connections().Read(
      "revisions", [&](Connection& connection) { return ReadFirstRevisions(connection, targets); });
}

Expected<RevisionRecord> SqlReads::Revision(std::int64_t id) const {
  auto found = connections().Read(
      "a revision", [&](Connection& connection) { return ReadRevision(connection, id); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no revision " + std::to_string(id));
  return std::move(**found);
}

Expected<std::vector<HoldRecord>> SqlReads::Holds() const {
  return connections().Read("guard holds", ReadHolds);
}

Expected<std::vector<IntentRecord>> SqlReads::OpenIntents() const {
  return connections().Read("intents", ReadOpenIntents);
}

Expected<std::vector<RemovalRecord>> SqlReads::Removals(WallTime since) const {
  return connections().Read(
      "removals", [since](Connection& connection) { return ReadRemovals(connection, since); });
}

Expected<std::vector<RollbackRecord>> SqlReads::Rollbacks() const {
  return connections().Read("rollbacks", ReadRollbacks);
}

Expected<std::optional<GenerationRecord>> SqlReads::LastGeneration() const {
  return connections().Read("generations", ReadLastGeneration);
}

Expected<std::vector<GenerationRecord>> SqlReads::OlderGenerations() const {
  return connections().Read("generations", ReadOlderGenerations);
}

Expected<EvidenceRecord> SqlReads::Evidence() const {
  return connections().Read("the evidence", ReadEvidence);
}

Expected<std::vector<ManifestProblemRecord>> SqlReads::Problems() const {
  return connections().Read("manifest problems", ReadProblems);
}

Expected<std::vector<ReplicaRecord>> SqlReads::Replicas() const {
  return connections().Read(
      "replicas", [this](Connection& reader) { return connections().engine().Replicas(reader); });
}

Expected<std::vector<AuditEntry>> SqlReads::AuditEntries(const AuditFilter& filter) const {
  auto found = connections().Read("audit entries", [&](Connection& connection) {
    return ReadAuditEntries(connection, filter);
  });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kResourceExhausted, "too much is on record of " + filter.target);
  return std::move(**found);
}

Expected<void> SqlReads::ReadTargets(const std::function<void(TargetRecord&&)>& take) const {
  return ReadAhead<TargetRecord>(
      [this](const NextRecord<TargetRecord>& next) {
        return connections().ReadApart(
            "targets", [&](Connection& connection) { EachTarget(connection, next); });
      },
      take);
}

Expected<void> SqlReads::ReadResources(const std::function<void(ResourceRecord&&)>& take) const {
  return ReadAhead<ResourceRecord>(
      [this](const NextRecord<ResourceRecord>& next) {
        return connections().ReadApart(
            "resources", [&](Connection& connection) { EachResource(connection, next); });
      },
      take);
}

Expected<void> SqlReads::ReadCatalog(
    const std::function<void(TargetRecord&&)>& take_target,
    const std::function<void(ResourceRecord&&)>& take_resource) const {
  return ReadBothAhead<TargetRecord, ResourceRecord>(
      [this](const NextRecord<TargetRecord>& next_target,
             const NextRecord<ResourceRecord>& next_resource) {
        return connections().ReadApart("targets and resources", [&](Connection& connection) {
          EachTargetAndResource(connection, next_target, next_resource);
        });
      },
      take_target, take_resource);
}

Expected<void> SqlReads::ReadFiles(const std::function<void(FileRecord&&)>& take) const {
  return connections().ReadApart("files",
                                 [&](Connection& connection) { EachFile(connection, take); });
}

}  // namespace bindery::store
