#include <algorithm>
#include <span>
#include <vector>

#include "store/sql/policies.h"
#include "store/sql/target_keys.h"
#include "store/sql/wide_statement.h"
#include "store/sql/words.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kAddRevision = R"sql(
INSERT INTO revisions (target_id, time, origin, etag, policy_id, actor)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
)sql";

constexpr const char* kUpsertTarget = R"sql(
INSERT INTO targets
  (target_id, provider, observed, present, ever_written, etag, policy_id, grants, undeclared)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (target_id) DO UPDATE SET
  (provider, observed, present, ever_written, etag, policy_id, grants, undeclared) =
  (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
WHERE (targets.provider, targets.observed, targets.present, targets.ever_written, targets.etag,
  targets.policy_id, targets.grants, targets.undeclared)
  IS DISTINCT FROM (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
)sql";

constexpr const char* kUpsertObservation = R"sql(
INSERT INTO observations (target_id, observed_at) VALUES (?1, ?2)
ON CONFLICT (target_id) DO UPDATE SET observed_at = ?2
WHERE observations.observed_at <> ?2
)sql";

constexpr const char* kCloseDrift = R"sql(
UPDATE drift SET resolved_after = ?2 - first_seen, resolved_by = ?3, state = ?4
WHERE target_id = ?1 AND resolved_after IS NULL
)sql";

Error NoSuchPolicy(const char* who, const Target& target, const std::string& digest) {
  Error error;
  error.code = Code::kInternal;
  error.message = std::string(who) + " \"" + target.Key() + "\" names the policy \"" + digest +
                  "\", which is not stored";
  return error;
}

/// The id of the revision's policy; 0 for none.
Expected<std::int64_t> RecordPolicy(Connection& connection, const RevisionRecord& revision,
                                    std::int64_t target_id) {
  if (!revision.policy.empty()) {
    return StorePolicy(connection, target_id, revision.digest, revision.policy);
  }
  // The foreseen policy is not the last policy any more.
  connection.caches().foreseen.last_policies.Drop(target_id);
  if (revision.digest.empty()) return 0;
  if (const auto id = StoredPolicy(connection, revision.digest); id != 0) return id;
  return Fail(NoSuchPolicy("a revision of", revision.target, revision.digest));
}

Expected<void> UpsertTarget(Connection& connection, const TargetRecord& record) {
  const std::int64_t id = InternTarget(connection, record.target);
  std::int64_t policy = 0;
  if (!record.policy_digest.empty()) {
    policy = StoredPolicy(connection, record.policy_digest);
    if (policy == 0) return Fail(NoSuchPolicy("target", record.target, record.policy_digest));
  }
  Run(connection, kUpsertTarget, id, InternWord(connection, record.provider), record.observed,
      record.exists, record.ever_written, record.etag, policy, record.grants, record.undeclared);
  Run(connection, kUpsertObservation, id, record.observed_at);
  return {};
}

}  // namespace

Expected<void> AddRevisions(Connection& connection, const std::vector<RevisionRecord>& revisions) {
  for (const RevisionRecord& revision : revisions) {
    const std::int64_t target_id = InternTarget(connection, revision.target);
    const auto policy = RecordPolicy(connection, revision, target_id);
    if (!policy) return Fail(policy.error());
    Run(connection, kAddRevision, target_id, revision.time,
        InternWord(connection, ToString(revision.origin)), revision.etag, *policy,
        InternWord(connection, revision.actor));
  }
  return {};
}

void ForgetTargets(Connection& connection, const std::vector<Target>& targets, WallTime now) {
  if (!targets.empty()) connection.NoteContent();
  for (const Target& target : targets) {
    const std::int64_t id = FindTargetId(connection, target);
    if (id == 0) continue;
    connection.caches().foreseen.drift.Drop(id);
    Run(connection, kCloseDrift, id, now, InternWord(connection, "elsewhere"),
        InternWord(connection, ToString(DriftState::kCorrected)));
    Run(connection, "DELETE FROM targets WHERE target_id = ?1", id);
    Run(connection, "DELETE FROM observations WHERE target_id = ?1", id);
    Run(connection, "DELETE FROM rollbacks WHERE target_id = ?1", id);
  }
}

Expected<void> UpsertTargets(Connection& connection, const std::vector<TargetRecord>& targets) {
  if (!targets.empty()) connection.NoteContent();
  for (const TargetRecord& record : targets) {
    if (auto done = UpsertTarget(connection, record); !done) return done;
  }
  return {};
}

void TouchTargets(Connection& connection, const std::vector<TargetKey>& targets, WallTime time) {
  // The time is the time of the first reading: a target may have been read again and recorded
  // since.
  static const WideStatement kTouch(
      "UPDATE observations SET observed_at = ?1 WHERE observed_at < ?1 AND target_id IN ", 2);
  const std::vector<std::int64_t> ids = FindTargetIds(connection, targets);
  for (std::span<const std::int64_t> left = ids; !left.empty();) {
    const WideStatement::Width& touch = kTouch.For(left.size());
    WideExecution update(connection, touch);
    update->BindInt(1, ToMillis(time));
    for (std::size_t i = 0; i < touch.count; ++i) {
      update->BindInt(static_cast<int>(i) + 2, left[std::min(i, left.size() - 1)]);
    }
    update->Defer();
    left = left.subspan(std::min(left.size(), touch.count));
  }
}

}  // namespace bindery::store
