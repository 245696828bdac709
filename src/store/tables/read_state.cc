#include "core/access/grant.h"
#include "core/base/json.h"
#include "store/sql/engine_error.h"
#include "store/sql/stored_words.h"
#include "store/sql/target_keys.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

// "+id": in the order of the table SQLite would walk through all intents, not those of the index.
constexpr const char* kOpenIntents = R"sql(
SELECT id, target_id, started, etag_before, digest_before, digest_desired, actor,
  conditional
FROM intents WHERE finished_after IS NULL ORDER BY +id
)sql";

// A clock that is ahead at the start must not hide what was removed just before: what belongs to
// the seven days (in milliseconds) before the last removal is told too.
constexpr const char* kRemovals = R"sql(
SELECT target_id, provider, started, removed_declared, removed_adopted, started + finished_after
FROM intents
WHERE removed_declared + removed_adopted > 0
  AND (started >= ?1
       OR started >= (SELECT max(started) FROM intents
                      WHERE removed_declared + removed_adopted > 0) - 604800000)
  AND outcome NOT IN (SELECT id FROM words WHERE text IN ('refused', 'found-not-landed'))
ORDER BY started, id
)sql";

constexpr const char* kCounts = R"sql(
SELECT (SELECT count(*) FROM revisions), (SELECT count(*) FROM policies),
  (SELECT count(*) FROM events), (SELECT count(*) FROM drift)
)sql";

// By the index manifest_problems_resource.
constexpr const char* kProblemsAbout = R"sql(
SELECT file, line, col, path, severity, code, message, resource FROM manifest_problems
WHERE (resource = ?1 AND ?1 <> '') OR (resource = '' AND file = ?2 AND ?2 <> '')
ORDER BY resource = '', id
)sql";

/// The digest in a column that holds the number of a policy, or else the digest.
std::string NamedDigest(Connection& connection, const Query& query, int column) {
  if (!query.IsInt(column)) return query.Digest(column);
  Query policy(connection, "SELECT digest FROM policies WHERE id = ?1", query.Int(column));
  return policy.Next() ? policy.Digest(0) : std::string();
}

std::vector<ConditionalGrant> Conditional(std::string_view text) {
  std::vector<ConditionalGrant> grants;
  if (text.empty()) return grants;
  const auto list = ParseJson(text);
  if (!list || !list->is_array()) ThrowDamaged("conditional grants of an intent are no list");
  for (const Json& grant : *list) {
    grants.push_back({GrantFromJson(grant), StringMember(grant, "dropped")});
  }
  return grants;
}

GenerationRecord Generation(const Query& query) {
  GenerationRecord record;
  record.id = query.Int(0);
  record.time = query.Time(1);
  record.digest = query.Text(2);
  record.files = query.Int(3);
  record.manifests = query.Int(4);
  record.problems = query.Int(5);
  record.rules = query.Text(6);
  return record;
}

std::vector<ManifestProblemRecord> TakeProblems(Query& query) {
  std::vector<ManifestProblemRecord> records;
  while (query.Next()) {
    ManifestProblemRecord record;
    record.file = query.Text(0);
    record.line = static_cast<int>(query.Int(1));
    record.column = static_cast<int>(query.Int(2));
    record.path = query.Text(3);
    record.severity = query.Text(4);
    record.code = query.Text(5);
    record.message = query.Text(6);
    record.resource = query.Text(7);
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace

std::optional<GenerationRecord> ReadLastGeneration(Connection& connection) {
  Query query(connection,
              "SELECT id, time, digest, files, manifests, problems, rules FROM generations "
              "ORDER BY id DESC LIMIT 1");
  if (!query.Next()) return std::nullopt;
  return Generation(query);
}

std::vector<GenerationRecord> ReadOlderGenerations(Connection& connection) {
  std::vector<GenerationRecord> records;
  Query query(connection,
              "SELECT id, time, digest, files, manifests, problems, rules FROM generations "
              "WHERE id IN (SELECT max(id) FROM generations GROUP BY digest) "
              "AND id < (SELECT max(id) FROM generations) ORDER BY id");
  while (query.Next()) records.push_back(Generation(query));
  return records;
}

std::vector<ManifestProblemRecord> ReadProblems(Connection& connection) {
  Query query(connection,
              "SELECT file, line, col, path, severity, code, message, resource "
              "FROM manifest_problems ORDER BY id");
  return TakeProblems(query);
}

std::map<std::string, std::size_t> CountProblems(Connection& connection) {
  std::map<std::string, std::size_t> counts;
  Query query(connection, "SELECT severity, count(*) FROM manifest_problems GROUP BY severity");
  while (query.Next()) counts.emplace(query.Text(0), static_cast<std::size_t>(query.Int(1)));
  return counts;
}

std::vector<ManifestProblemRecord> ReadProblemsAbout(Connection& connection,
                                                     const std::string& resource,
                                                     const std::string& file) {
  Query query(connection, kProblemsAbout, resource, file);
  return TakeProblems(query);
}

std::vector<HoldRecord> ReadHolds(Connection& connection) {
  std::vector<HoldRecord> records;
  Query query(connection,
              "SELECT digest, created, state, reason, purpose, items, actor FROM holds "
              "ORDER BY created, digest");
  while (query.Next()) {
    HoldRecord record;
    record.digest = query.Text(0);
    record.created = query.Time(1);
    record.state = ReadWord(HoldStateFromString, query.Text(2));
    record.reason = query.Text(3);
    record.purpose = ReadWord(HoldPurposeFromString, query.Text(4));
    record.items = query.Text(5);
    record.actor = query.Text(6);
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<IntentRecord> ReadOpenIntents(Connection& connection) {
  std::vector<IntentRecord> records;
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, kOpenIntents);
  while (query.Next()) {
    IntentRecord record;
    record.id = query.Int(0);
    record.target = targets.At(query.Int(1));
    record.started = query.Time(2);
    record.etag_before = query.Text(3);
    record.digest_before = NamedDigest(connection, query, 4);
    record.digest_desired = NamedDigest(connection, query, 5);
    record.actor = words.Text(query, 6);
    record.conditional = Conditional(query.View(7));
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<RemovalRecord> ReadRemovals(Connection& connection, WallTime since) {
  std::vector<RemovalRecord> records;
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, kRemovals, since);
  while (query.Next()) {
    RemovalRecord record;
    record.target = targets.At(query.Int(0));
    record.provider = query.Text(1);
    record.started = query.Time(2);
    record.declared = query.Int(3);
    record.adopted = query.Int(4);
    record.open = query.IsNull(5);
    if (!record.open) record.ended = query.Time(5);
    records.push_back(std::move(record));
  }
  return records;
}

StoreCounts ReadCounts(Connection& connection) {
  Query query(connection, kCounts);
  query.Next();
  StoreCounts counts;
  counts.revisions = query.Int(0);
  counts.policies = query.Int(1);
  counts.events = query.Int(2);
  counts.drift = query.Int(3);
  return counts;
}

}  // namespace bindery::store
