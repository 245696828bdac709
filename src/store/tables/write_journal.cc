#include "core/access/grant.h"
#include "core/base/json.h"
#include "core/base/json_text.h"
#include "store/sql/policies.h"
#include "store/sql/target_keys.h"
#include "store/sql/words.h"
#include "store/tables/event_rows.h"
#include "store/tables/reads.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kAddGeneration = R"sql(
INSERT INTO generations (time, digest, files, manifests, problems, rules)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
)sql";

constexpr const char* kAddProblem = R"sql(
INSERT INTO manifest_problems (file, line, col, path, severity, code, message, resource)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
)sql";

constexpr const char* kAddEvent = R"sql(
INSERT INTO events (time, type, reason, resource, target, message, actor, severity)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
)sql";

constexpr const char* kUpsertHold = R"sql(
INSERT INTO holds (digest, created, state, reason, purpose, items, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (digest) DO UPDATE SET
  (created, state, reason, purpose, items, actor) = (?2, ?3, ?4, ?5, ?6, ?7)
WHERE (holds.created, holds.state, holds.reason, holds.purpose, holds.items, holds.actor)
  IS DISTINCT FROM (?2, ?3, ?4, ?5, ?6, ?7)
)sql";

constexpr const char* kBeginIntent = R"sql(
INSERT INTO intents (target_id, started, etag_before, digest_before, digest_desired, actor, outcome,
  removed_declared, removed_adopted, provider, conditional)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
)sql";

constexpr const char* kGiveUpIntents = R"sql(
UPDATE intents SET finished_after = ?2 - started, outcome = ?3
WHERE target_id = ?1 AND finished_after IS NULL
)sql";

constexpr const char* kFinishIntent = R"sql(
UPDATE intents SET finished_after = ?2 - started, outcome = ?3
WHERE id = ?1 AND finished_after IS NULL
)sql";

constexpr const char* kUpsertFile = R"sql(
INSERT INTO files (path, stamp, digest) VALUES (?1, ?2, ?3)
ON CONFLICT (path) DO UPDATE SET (stamp, digest) = (?2, ?3)
WHERE (files.stamp, files.digest) IS DISTINCT FROM (?2, ?3)
)sql";

/// A JSON list; empty for none.
std::string ConditionalText(const std::vector<ConditionalGrant>& grants) {
  if (grants.empty()) return {};
  Json list = Json::array();
  for (const ConditionalGrant& one : grants) {
    Json grant = ToJson(one.grant, kIamWords);
    if (!one.dropped.empty()) grant["dropped"] = one.dropped;
    list.push_back(std::move(grant));
  }
  return CompactJson(list);
}

}  // namespace

void AddGeneration(Connection& connection, const GenerationRecord& generation) {
  Run(connection, kAddGeneration, generation.time, generation.digest, generation.files,
      generation.manifests, generation.problems, generation.rules);
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
    Run(connection, kAddEvent, event.time, InternWord(connection, ToString(event.type)),
        InternWord(connection, event.reason), InternName(connection, event.resource),
        InternName(connection, event.target), Shared(connection, event.message),
        InternWord(connection, event.actor), SeverityNumber(event.severity));
  }
}

void UpsertHolds(Connection& connection, const std::vector<HoldRecord>& holds) {
  for (const HoldRecord& hold : holds) {
    const std::string purpose = ToString(hold.purpose);
    Run(connection, kUpsertHold, hold.digest, hold.created, ToString(hold.state), hold.reason,
        purpose, hold.items, hold.actor);
  }
}

std::int64_t BeginIntent(Connection& connection, const IntentRecord& intent) {
  const IdOrDigest before{StoredPolicy(connection, intent.digest_before), intent.digest_before};
  const std::int64_t target = InternTarget(connection, intent.target);
  // A target is written by one call at a time. A recorded intent without an outcome was given up
  // when its record seemed to have failed; nobody would close the intent, and after a restart it
  // would be taken for the present intent.
  Run(connection, kGiveUpIntents, target, intent.started, InternWord(connection, "unknown"));
  const std::string conditional = ConditionalText(intent.conditional);
  return Insert(connection, kBeginIntent, target, intent.started, intent.etag_before, before,
                MakeDigest{intent.digest_desired}, InternWord(connection, intent.actor),
                InternWord(connection, ""), intent.removed_declared, intent.removed_adopted,
                intent.provider, conditional);
}

Expected<void> FinishIntents(Connection& connection, const std::vector<IntentOutcome>& outcomes) {
  for (const IntentOutcome& outcome : outcomes) {
    // One that was given once and is not on record has been finished and cleared away since.
    std::int64_t& given = connection.caches().given_intents;
    if (outcome.id > given) given = connection.LastGiven("intents");
    if (outcome.id <= 0 || outcome.id > given) {
      return Fail(Code::kInternal, "there is no intent " + std::to_string(outcome.id));
    }
    Run(connection, kFinishIntent, outcome.id, outcome.finished,
        InternWord(connection, outcome.outcome));
  }
  return {};
}

void ForgetFiles(Connection& connection, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    Run(connection, "DELETE FROM files WHERE path = ?1", path);
  }
}

void UpsertFiles(Connection& connection, const std::vector<FileRecord>& files) {
  for (const FileRecord& file : files) {
    Run(connection, kUpsertFile, file.path, BlobOf{file.stamp}, MakeDigest{file.digest});
  }
}

}  // namespace bindery::store
