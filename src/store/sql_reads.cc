#include "store/sql_reads.h"

#include "store/drift_snapshot.h"
#include "store/engine_error.h"
#include "store/read_ahead.h"
#include "store/reads.h"

namespace bindery::store {

void SqlReads::Note(const Expected<void>& result) const {
  if (!result) engine_->NoteFailure(result.error());
}

template <typename F>
auto SqlReads::Read(std::string_view what, F&& read) const {
  const MutexLock lock(reader_mutex_);
  Connection& reader = *reader_;
  auto result = Attempt("read " + std::string(what), [&] {
    const ReadTransaction transaction(reader);
    return read(reader);
  });
  if (!result) Note(Fail(result.error()));
  return result;
}

template <typename F>
Expected<void> SqlReads::ReadApart(std::string_view what, F&& read) const {
  auto connection = engine_->OpenReader();
  if (!connection) return Fail(connection.error());
  auto result = Attempt("read " + std::string(what), [&] {
    const ReadTransaction transaction(**connection);
    read(**connection);
  });
  Note(result);
  return result;
}

Expected<std::vector<ResourceRecord>> SqlReads::Resources() const {
  return Read("resources", store::ReadResources);
}

Expected<std::optional<ResourceRecord>> SqlReads::Resource(const std::string& name) const {
  return Read("a resource", [&](Connection& connection) { return FindResource(connection, name); });
}

Expected<std::vector<TargetRecord>> SqlReads::Targets() const {
  return Read("targets", store::ReadTargets);
}

Expected<std::vector<DriftRecord>> SqlReads::Drift(const DriftFilter& filter) const {
  return Read("drift", [&](Connection& connection) { return ReadDrift(connection, filter); });
}

Expected<std::unique_ptr<DriftSnapshot>> SqlReads::SnapshotDrift() const {
  return SqlDriftSnapshot::Open(*engine_, [this](const Expected<void>& result) { Note(result); });
}

Expected<std::vector<std::pair<std::int64_t, Event>>> SqlReads::Events(
    const EventFilter& filter) const {
  return Read("events", [&](Connection& connection) { return ReadEvents(connection, filter); });
}

Expected<std::vector<JournalEntry>> SqlReads::Journal(const JournalPage& page) const {
  return Read("the journal", [&](Connection& connection) { return ReadJournal(connection, page); });
}

Expected<std::vector<WebhookRecord>> SqlReads::Webhooks() const {
  return Read("webhooks", ReadWebhooks);
}

Expected<std::vector<RevisionRecord>> SqlReads::Revisions(const Target& target,
                                                          bool with_policy) const {
  return Read("revisions", [&](Connection& connection) {
    return ReadRevisions(connection, target, with_policy);
  });
}

Expected<std::vector<RevisionRecord>> SqlReads::RevisionsInForce(WallTime at) const {
  return Read("revisions",
              [&](Connection& connection) { return ReadRevisionsInForce(connection, at); });
}

Expected<RevisionRecord> SqlReads::Revision(std::int64_t id) const {
  auto found =
      Read("a revision", [&](Connection& connection) { return ReadRevision(connection, id); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no revision " + std::to_string(id));
  return std::move(**found);
}

Expected<std::string> SqlReads::Policy(const std::string& digest) const {
  auto found =
      Read("a policy", [&](Connection& connection) { return ReadPolicy(connection, digest); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no policy \"" + digest + "\"");
  return std::move(**found);
}

Expected<std::vector<HoldRecord>> SqlReads::Holds() const { return Read("guard holds", ReadHolds); }

Expected<std::vector<IntentRecord>> SqlReads::OpenIntents() const {
  return Read("intents", ReadOpenIntents);
}

Expected<std::vector<RemovalRecord>> SqlReads::Removals(WallTime since) const {
  return Read("removals",
              [since](Connection& connection) { return ReadRemovals(connection, since); });
}

Expected<std::vector<RollbackRecord>> SqlReads::Rollbacks() const {
  return Read("rollbacks", ReadRollbacks);
}

Expected<std::optional<GenerationRecord>> SqlReads::LastGeneration() const {
  return Read("generations", ReadLastGeneration);
}

Expected<std::vector<GenerationRecord>> SqlReads::OlderGenerations() const {
  return Read("generations", ReadOlderGenerations);
}

Expected<EvidenceRecord> SqlReads::Evidence() const {
  return Read("the evidence", store::ReadEvidence);
}

Expected<std::vector<ManifestProblemRecord>> SqlReads::Problems() const {
  return Read("manifest problems", ReadProblems);
}

Expected<std::vector<ReplicaRecord>> SqlReads::Replicas() const {
  return Read("replicas", [this](Connection& reader) { return engine_->Replicas(reader); });
}

Expected<StoreCounts> SqlReads::Counts() const { return Read("counts", ReadCounts); }

Expected<std::vector<AuditEntry>> SqlReads::AuditEntries(const AuditFilter& filter) const {
  auto found = Read("audit entries",
                    [&](Connection& connection) { return ReadAuditEntries(connection, filter); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kResourceExhausted, "too much is on record of " + filter.target);
  return std::move(**found);
}

Expected<std::vector<AuditFile>> SqlReads::AuditFiles() const {
  return Read("audit files", ReadAuditFiles);
}

Expected<void> SqlReads::ReadResources(const std::function<void(ResourceRecord&&)>& take) const {
  return ReadAhead<ResourceRecord>(
      [this](const NextRecord<ResourceRecord>& next) {
        return ReadApart("resources",
                         [&](Connection& connection) { EachResource(connection, next); });
      },
      take);
}

Expected<void> SqlReads::ReadCatalog(
    const std::function<void(TargetRecord&&)>& take_target,
    const std::function<void(ResourceRecord&&)>& take_resource) const {
  return ReadBothAhead<TargetRecord, ResourceRecord>(
      [this](const NextRecord<TargetRecord>& next_target,
             const NextRecord<ResourceRecord>& next_resource) {
        return ReadApart("targets and resources", [&](Connection& connection) {
          EachTargetAndResource(connection, next_target, next_resource);
        });
      },
      take_target, take_resource);
}

Expected<void> SqlReads::ReadFiles(const std::function<void(FileRecord&&)>& take) const {
  return ReadApart("files", [&](Connection& connection) { EachFile(connection, take); });
}

Expected<bool> SqlReads::PutBackFromReader() {
  const MutexLock lock(reader_mutex_);
  return engine_->PutBack(*reader_);
}

void SqlReads::CloseReader() {
  const MutexLock lock(reader_mutex_);
  reader_.reset();
}

}  // namespace bindery::store
