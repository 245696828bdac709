#include "store/tables/writes.h"

namespace bindery::store {

Expected<void> WriteChange(Connection& connection, const StoreChange& change, WallTime now) {
  if (change.generation) AddGeneration(connection, *change.generation);
  if (change.evidence) ReplaceEvidence(connection, *change.evidence);
  if (change.problems) ReplaceProblems(connection, *change.problems);

  ForgetResources(connection, change.forget_resources);
  if (auto done = UpsertResources(connection, change); !done) return done;
  SetStandings(connection, change.standings);

  // Policies before the targets that name them; drift before targets are forgotten, so that the
  // change's own drift comes first.
  if (auto done = AddRevisions(connection, change.revisions); !done) return done;
  for (const DriftUpdate& update : change.drift) WriteDrift(connection, update);
  ForgetTargets(connection, change.forget_targets, now);
  if (auto done = UpsertTargets(connection, change.upsert_targets); !done) return done;
  TouchTargets(connection, change.touch_targets, change.touched_at);

  if (change.webhooks) SetWebhooks(connection, *change.webhooks);
  AddEvents(connection, change.events);
  MoveWebhooks(connection, change.webhook_progress);
  if (auto done = FinishIntents(connection, change.finished_intents); !done) return done;
  UpsertHolds(connection, change.upsert_holds);
  ForgetRollbacks(connection, change.forget_rollbacks);
  UpsertRollbacks(connection, change.upsert_rollbacks);

  ForgetFiles(connection, change.forget_files);
  UpsertFiles(connection, change.upsert_files);

  AddAuditEntries(connection, change.audit_entries);
  ForgetAuditFiles(connection, change.forget_audit_files);
  UpsertAuditFiles(connection, change.upsert_audit_files);
  return {};
}

}  // namespace bindery::store
