#include "store/reads.h"
#include "store/target_keys.h"
#include "store/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kAddGeneration = R"sql(
INSERT INTO generations (time, digest, files, manifests, problems) VALUES (?1, ?2, ?3, ?4, ?5)
)sql";

constexpr const char* kAddProblem = R"sql(
INSERT INTO manifest_problems (file, line, col, path, severity, code, message, resource)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
)sql";

constexpr const char* kAddEvent = R"sql(
INSERT INTO events (time, type, reason, resource, target, message, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
)sql";

constexpr const char* kUpsertHold = R"sql(
INSERT INTO holds (digest, created, state, reason, purpose, items, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (digest) DO UPDATE SET
  (created, state, reason, purpose, items, actor) = (?2, ?3, ?4, ?5, ?6, ?7)
WHERE (created, state, reason, purpose, items, actor) IS NOT (?2, ?3, ?4, ?5, ?6, ?7)
)sql";

constexpr const char* kBeginIntent = R"sql(
INSERT INTO intents (target_id, started, etag_before, digest_before, digest_desired, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
)sql";

constexpr const char* kFinishIntent = R"sql(
UPDATE intents SET finished = ?2, outcome = ?3 WHERE id = ?1 AND finished IS NULL
)sql";

// An intent that was given once and is not on record has been finished and cleared away since.
constexpr const char* kIntentWasGiven = R"sql(
SELECT 1 FROM sqlite_sequence WHERE name = 'intents' AND seq >= ?1 AND ?1 > 0
)sql";

constexpr const char* kUpsertFact = R"sql(
INSERT INTO facts (name, value) VALUES (?1, ?2)
ON CONFLICT (name) DO UPDATE SET value = ?2 WHERE value <> ?2
)sql";

}  // namespace

void AddGeneration(Connection& connection, const GenerationRecord& generation) {
  Run(connection, kAddGeneration, generation.time, generation.digest, generation.files,
      generation.manifests, generation.problems);
}

void ReplaceProblems(Connection& connection, const std::vector<ManifestProblemRecord>& problems) {
  if (ReadProblems(connection) == problems) return;
  Run(connection, "DELETE FROM manifest_problems");
  for (const ManifestProblemRecord& problem : problems) {
    Run(connection, kAddProblem, problem.file, problem.line, problem.column, problem.path,
        problem.severity, problem.code, problem.message, problem.resource);
  }
}

void AddEvents(Connection& connection, const std::vector<Event>& events) {
  for (const Event& event : events) {
    Run(connection, kAddEvent, event.time, ToString(event.type), event.reason, event.resource,
        event.target, event.message, event.actor);
  }
}

void UpsertHolds(Connection& connection, const std::vector<HoldRecord>& holds) {
  for (const HoldRecord& hold : holds) {
    Run(connection, kUpsertHold, hold.digest, hold.created, hold.state, hold.reason, hold.purpose,
        hold.items, hold.actor);
  }
}

std::int64_t BeginIntent(Connection& connection, const IntentRecord& intent) {
  Run(connection, kBeginIntent, InternTarget(connection, intent.target), intent.started,
      intent.etag_before, intent.digest_before, intent.digest_desired, intent.actor);
  return LastId(connection);
}

Expected<void> FinishIntents(Connection& connection, const std::vector<IntentOutcome>& outcomes) {
  for (const IntentOutcome& outcome : outcomes) {
    if (Run(connection, kFinishIntent, outcome.id, outcome.finished, outcome.outcome) > 0) continue;
    Query given(connection, kIntentWasGiven, outcome.id);
    if (!given.Next()) {
      return Fail(Code::kInternal, "there is no intent " + std::to_string(outcome.id));
    }
  }
  return {};
}

void WriteFact(Connection& connection, const std::string& name, const std::string& value) {
  Run(connection, kUpsertFact, name, value);
}

}  // namespace bindery::store
