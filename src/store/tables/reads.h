#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/ports/filters.h"
#include "store/ports/journal_reader.h"
#include "store/ports/store_health.h"
#include "store/sql/connection.h"

namespace bindery::store {

// The reading functions of the ports, for a connection in a transaction: some run several
// statements, which must see one state. They throw EngineError.

/// Returns the record for the next row; the record may hold former data.
template <typename Record>
using NextRecord = std::function<Record&()>;

void EachResource(Connection& connection, const NextRecord<ResourceRecord>& next);
void EachTarget(Connection& connection, const NextRecord<TargetRecord>& next);
/// Targets first, then resources.
void EachTargetAndResource(Connection& connection, const NextRecord<TargetRecord>& next_target,
                           const NextRecord<ResourceRecord>& next_resource);
void EachFile(Connection& connection, const std::function<void(FileRecord&&)>& take);

[[nodiscard]] std::vector<ResourceRecord> ReadResources(Connection& connection);
[[nodiscard]] std::vector<ResourceRecord> ReadResourcesOn(Connection& connection,
                                                          const Target& target);
[[nodiscard]] std::vector<ResourceRecord> ReadResourcesOnEach(Connection& connection,
                                                              const std::vector<Target>& targets);
[[nodiscard]] std::vector<ObservedResource> ReadResourcesNamed(
    Connection& connection, const std::vector<std::string>& names);
void EachResourceByName(Connection& connection, const NextRecord<ObservedResource>& next);
[[nodiscard]] std::optional<ResourceRecord> FindResource(Connection& connection,
                                                         const std::string& name);
[[nodiscard]] std::vector<TargetRecord> ReadTargets(Connection& connection);
[[nodiscard]] std::vector<TargetRecord> ReadTargetsNamed(Connection& connection,
                                                         const std::string& name);
[[nodiscard]] std::optional<GenerationRecord> ReadLastGeneration(Connection& connection);
[[nodiscard]] std::vector<GenerationRecord> ReadOlderGenerations(Connection& connection);
[[nodiscard]] EvidenceRecord ReadEvidence(Connection& connection);
[[nodiscard]] std::vector<ManifestProblemRecord> ReadProblems(Connection& connection);
[[nodiscard]] std::map<std::string, std::size_t> CountProblems(Connection& connection);
[[nodiscard]] std::vector<ManifestProblemRecord> ReadProblemsAbout(Connection& connection,
                                                                   const std::string& resource,
                                                                   const std::string& file);
[[nodiscard]] std::vector<HoldRecord> ReadHolds(Connection& connection);
[[nodiscard]] std::vector<RollbackRecord> ReadRollbacks(Connection& connection);
[[nodiscard]] std::vector<IntentRecord> ReadOpenIntents(Connection& connection);
[[nodiscard]] std::vector<RemovalRecord> ReadRemovals(Connection& connection, WallTime since);
[[nodiscard]] StoreCounts ReadCounts(Connection& connection);

[[nodiscard]] std::vector<DriftRecord> ReadDrift(Connection& connection, const DriftFilter& filter);
[[nodiscard]] std::vector<std::pair<std::int64_t, Event>> ReadEvents(Connection& connection,
                                                                     const EventFilter& filter);
[[nodiscard]] std::vector<JournalEntry> ReadJournal(Connection& connection,
                                                    const JournalPage& page);
[[nodiscard]] std::vector<WebhookRecord> ReadWebhooks(Connection& connection);
/// The newest of the target, oldest first.
struct WantedRevisions {
  bool with_policy = true;
  std::size_t most = std::numeric_limits<std::int32_t>::max();
};
[[nodiscard]] std::vector<RevisionRecord> ReadRevisions(Connection& connection,
                                                        const Target& target,
                                                        const WantedRevisions& wanted);
void EachRevisionInForce(Connection& connection, WallTime at,
                         const std::function<void(RevisionRecord&&)>& take);
[[nodiscard]] std::vector<RevisionRecord> ReadFirstRevisions(Connection& connection,
                                                             const std::vector<Target>& targets);
[[nodiscard]] std::optional<RevisionRecord> ReadRevision(Connection& connection, std::int64_t id);
/// Nothing when the entries exceed the limit.
[[nodiscard]] std::optional<std::vector<AuditEntry>> ReadAuditEntries(Connection& connection,
                                                                      const AuditFilter& filter);
[[nodiscard]] std::vector<AuditFile> ReadAuditFiles(Connection& connection);
[[nodiscard]] std::optional<std::string> ReadPolicy(Connection& connection,
                                                    const std::string& digest);

}  // namespace bindery::store
