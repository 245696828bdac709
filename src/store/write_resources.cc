#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>

#include "store/target_keys.h"
#include "store/writes.h"

namespace bindery::store {
namespace {

// A row that would not change is left alone: an idle pass writes nothing.
constexpr const char* kUpsert = R"sql(
INSERT INTO resources (name, api_version, kind, target_id, provider, role, accepted, spec, options,
  labels, annotations, digest, source_file, source_line, generation, observed_generation, state,
  reason, message, status_since, outputs, suspended, missing_scans)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23)
ON CONFLICT (name) DO UPDATE SET
  (api_version, kind, target_id, provider, role, accepted, spec, options, labels, annotations,
   digest, source_file, source_line, generation, observed_generation, state, reason, message,
   status_since, outputs, suspended, missing_scans) =
  (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
   ?23)
WHERE
  (api_version, kind, target_id, provider, role, accepted, spec, options, labels, annotations,
   digest, source_file, source_line, generation, observed_generation, state, reason, message,
   status_since, outputs, suspended, missing_scans) IS NOT
  (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
   ?23)
)sql";

// Gives up a claim that its holder is about to exchange for another one.
constexpr const char* kReleaseClaim = R"sql(
UPDATE resources SET accepted = 0
WHERE name = ?1 AND accepted = 1 AND (target_id, role) IS NOT (?2, ?3)
)sql";

constexpr const char* kHolder = R"sql(
SELECT name FROM resources WHERE target_id = ?1 AND role = ?2 AND accepted = 1 AND name <> ?3
)sql";

void Upsert(Connection& connection, const ResourceRecord& record, std::int64_t target_id) {
  Run(connection, kUpsert, record.name, record.token.api_version, record.token.kind, target_id,
      record.provider, record.role, record.accepted, record.spec, record.options, record.labels,
      record.annotations, record.digest, record.source_file, record.source_line, record.generation,
      record.observed_generation, ToString(record.status.state), record.status.reason,
      record.status.message, record.status_since, record.outputs, record.suspended,
      record.missing_scans);
}

Error ClaimConflict(Connection& connection, const ResourceRecord& record, std::int64_t target_id) {
  Query query(connection, kHolder, target_id, record.role, record.name);
  const std::string holder = query.Next() ? query.Text(0) : "another resource";
  Error error;
  error.code = Code::kAlreadyExists;
  error.message = "resource \"" + record.name + "\" claims role \"" + record.role + "\" on \"" +
                  record.target.name + "\", which \"" + holder + "\" holds";
  return error;
}

Expected<void> UpsertAccepted(Connection& connection, const ResourceRecord& record) {
  const std::int64_t target_id = InternTarget(connection, record.target);
  try {
    Upsert(connection, record, target_id);
    return {};
  } catch (const SQLite::Exception& failure) {
    if (failure.getExtendedErrorCode() != SQLITE_CONSTRAINT_UNIQUE) throw;
  }
  return Fail(ClaimConflict(connection, record, target_id));
}

/// Two resources that exchange their claims would each find the other in the way.
void ReleaseMovingClaims(Connection& connection, const std::vector<ResourceRecord>& resources) {
  const auto accepted = [](const ResourceRecord& record) { return record.accepted; };
  if (std::count_if(resources.begin(), resources.end(), accepted) < 2) return;
  for (const ResourceRecord& record : resources) {
    if (!record.accepted) continue;
    const std::int64_t target_id = InternTarget(connection, record.target);
    Run(connection, kReleaseClaim, record.name, target_id, record.role);
  }
}

}  // namespace

void ForgetResources(Connection& connection, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    Run(connection, "DELETE FROM resources WHERE name = ?1", name);
  }
}

Expected<void> UpsertResources(Connection& connection,
                               const std::vector<ResourceRecord>& resources) {
  // First those that hold no claim (any more), so that others can take over theirs.
  for (const ResourceRecord& record : resources) {
    if (!record.accepted) Upsert(connection, record, InternTarget(connection, record.target));
  }
  ReleaseMovingClaims(connection, resources);
  for (const ResourceRecord& record : resources) {
    if (!record.accepted) continue;
    if (auto done = UpsertAccepted(connection, record); !done) return done;
  }
  return {};
}

}  // namespace bindery::store
