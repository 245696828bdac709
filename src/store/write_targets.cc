#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "store/target_keys.h"
#include "store/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kAddPolicy = R"sql(
INSERT INTO policies (digest, body) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING
)sql";

constexpr const char* kAddRevision = R"sql(
INSERT INTO revisions (target_id, time, origin, etag, digest, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
)sql";

constexpr const char* kUpsertTarget = R"sql(
INSERT INTO targets (target_id, provider, observed, present, ever_written, etag, policy_digest,
  grants)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (target_id) DO UPDATE SET
  (provider, observed, present, ever_written, etag, policy_digest, grants) =
  (?2, ?3, ?4, ?5, ?6, ?7, ?8)
WHERE (provider, observed, present, ever_written, etag, policy_digest, grants) IS NOT
  (?2, ?3, ?4, ?5, ?6, ?7, ?8)
)sql";

constexpr const char* kUpsertObservation = R"sql(
INSERT INTO observations (target_id, observed_at) VALUES (?1, ?2)
ON CONFLICT (target_id) DO UPDATE SET observed_at = ?2 WHERE observed_at <> ?2
)sql";

constexpr const char* kTouch = R"sql(
UPDATE observations SET observed_at = ?1
WHERE target_id = (SELECT id FROM target_keys WHERE name = ?2 AND kind = ?3 AND scope = ?4)
)sql";

constexpr const char* kCloseDrift = R"sql(
UPDATE drift SET resolved_at = ?2, resolved_by = 'elsewhere', state = 'corrected'
WHERE target_id = ?1 AND resolved_at IS NULL
)sql";

bool HasPolicy(Connection& connection, const std::string& digest) {
  Query query(connection, "SELECT 1 FROM policies WHERE digest = ?1", digest);
  return query.Next();
}

Error NoSuchPolicy(const char* who, const Target& target, const std::string& digest) {
  Error error;
  error.code = Code::kInternal;
  error.message = std::string(who) + " \"" + target.Key() + "\" names the policy \"" + digest +
                  "\", which is not stored";
  return error;
}

Expected<void> StorePolicyOf(Connection& connection, const RevisionRecord& revision) {
  if (revision.digest.empty()) return {};
  if (!revision.policy.empty()) {
    Run(connection, kAddPolicy, revision.digest, revision.policy);
    return {};
  }
  if (HasPolicy(connection, revision.digest)) return {};
  return Fail(NoSuchPolicy("a revision of", revision.target, revision.digest));
}

Expected<void> UpsertTarget(Connection& connection, const TargetRecord& record) {
  const std::int64_t id = InternTarget(connection, record.target);
  try {
    Run(connection, kUpsertTarget, id, record.provider, record.observed, record.exists,
        record.ever_written, record.etag, NullIfEmpty{record.policy_digest}, record.grants);
  } catch (const SQLite::Exception& failure) {
    if (failure.getExtendedErrorCode() != SQLITE_CONSTRAINT_FOREIGNKEY) throw;
    return Fail(NoSuchPolicy("target", record.target, record.policy_digest));
  }
  Run(connection, kUpsertObservation, id, record.observed_at);
  return {};
}

}  // namespace

Expected<void> AddRevisions(Connection& connection, const std::vector<RevisionRecord>& revisions) {
  for (const RevisionRecord& revision : revisions) {
    if (auto stored = StorePolicyOf(connection, revision); !stored) return stored;
    Run(connection, kAddRevision, InternTarget(connection, revision.target), revision.time,
        ToString(revision.origin), revision.etag, NullIfEmpty{revision.digest}, revision.actor);
  }
  return {};
}

void ForgetTargets(Connection& connection, const std::vector<Target>& targets, WallTime now) {
  for (const Target& target : targets) {
    const auto id = FindTargetId(connection, target);
    if (!id) continue;
    Run(connection, kCloseDrift, *id, now);
    Run(connection, "DELETE FROM targets WHERE target_id = ?1", *id);
  }
}

Expected<void> UpsertTargets(Connection& connection, const std::vector<TargetRecord>& targets) {
  for (const TargetRecord& record : targets) {
    if (auto done = UpsertTarget(connection, record); !done) return done;
  }
  return {};
}

void TouchTargets(Connection& connection, const std::vector<Target>& targets, WallTime time) {
  for (const Target& target : targets) {
    Run(connection, kTouch, time, target.name, target.kind, target.scope);
  }
}

}  // namespace bindery::store
