#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "store/ports/change.h"
#include "store/sql/connection.h"

namespace bindery::store {

/// Carries out one change, inside the caller's transaction. On failure the caller rolls back. The
/// writers below are the parts; all throw EngineError.
[[nodiscard]] Expected<void> WriteChange(Connection& connection, const StoreChange& change,
                                         WallTime now);

void ForgetResources(Connection& connection, const std::vector<std::string>& names);

/// Claims move freely between the resources of one change. kAlreadyExists when one would end up
/// with two holders.
[[nodiscard]] Expected<void> UpsertResources(Connection& connection, const StoreChange& change);

/// Of resources that are not on record: nothing.
void SetStandings(Connection& connection, const std::vector<StandingRecord>& standings);

/// Stores new policies, then the revisions. kInternal for a revision that names an unstored policy
/// by digest alone.
[[nodiscard]] Expected<void> AddRevisions(Connection& connection,
                                          const std::vector<RevisionRecord>& revisions);

/// Takes targets out of force, with the observed state of them. Their open drift is over: `now`.
void ForgetTargets(Connection& connection, const std::vector<Target>& targets, WallTime now);

/// kInternal when a target names a policy that is not stored.
[[nodiscard]] Expected<void> UpsertTargets(Connection& connection,
                                           const std::vector<TargetRecord>& targets);

/// Targets that are not on record are passed over.
void TouchTargets(Connection& connection, const std::vector<TargetKey>& targets, WallTime time);

void WriteDrift(Connection& connection, const DriftUpdate& update);

void ReplaceEvidence(Connection& connection, const EvidenceRecord& evidence);
void AddGeneration(Connection& connection, const GenerationRecord& generation);
void ReplaceProblems(Connection& connection, const std::vector<ManifestProblemRecord>& problems);
void AddEvents(Connection& connection, const std::vector<Event>& events);
void UpsertHolds(Connection& connection, const std::vector<HoldRecord>& holds);
void UpsertRollbacks(Connection& connection, const std::vector<RollbackRecord>& rollbacks);
void ForgetRollbacks(Connection& connection, const std::vector<Target>& targets);

[[nodiscard]] std::int64_t BeginIntent(Connection& connection, const IntentRecord& intent);

/// The first outcome of an intent counts. kInternal for an id that was never given.
[[nodiscard]] Expected<void> FinishIntents(Connection& connection,
                                           const std::vector<IntentOutcome>& outcomes);

/// New webhooks begin at the journal's end; all further webhooks are forgotten.
void SetWebhooks(Connection& connection, const std::vector<std::string>& names);
void MoveWebhooks(Connection& connection, const std::vector<WebhookRecord>& records);

void ForgetFiles(Connection& connection, const std::vector<std::string>& paths);
void UpsertFiles(Connection& connection, const std::vector<FileRecord>& files);

void AddAuditEntries(Connection& connection, const std::vector<AuditEntry>& entries);
void ForgetAuditFiles(Connection& connection, const std::vector<std::string>& paths);
void UpsertAuditFiles(Connection& connection, const std::vector<AuditFile>& files);

}  // namespace bindery::store
