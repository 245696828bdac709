#include "store/reads.h"
#include "store/target_keys.h"

namespace bindery::store {
namespace {

constexpr const char* kResources = R"sql(
SELECT r.name, api_version, r.kind, k.kind, k.scope, k.name, provider, role, accepted, spec,
  options, labels, annotations, digest, source_file, source_line, generation, observed_generation,
  state, reason, message, status_since, outputs, suspended, missing_scans
FROM resources r JOIN target_keys k ON k.id = r.target_id ORDER BY r.name
)sql";

constexpr const char* kTargets = R"sql(
SELECT k.kind, k.scope, k.name, provider, observed, present, ever_written, etag, policy_digest,
  observed_at, grants
FROM targets t JOIN target_keys k ON k.id = t.target_id
  JOIN observations o ON o.target_id = t.target_id
ORDER BY k.name, k.kind, k.scope
)sql";

constexpr const char* kOpenIntents = R"sql(
SELECT i.id, k.kind, k.scope, k.name, started, etag_before, digest_before, digest_desired, actor
FROM intents i JOIN target_keys k ON k.id = i.target_id WHERE finished IS NULL ORDER BY i.id
)sql";

constexpr const char* kCounts = R"sql(
SELECT (SELECT count(*) FROM revisions), (SELECT count(*) FROM policies),
  (SELECT count(*) FROM events), (SELECT count(*) FROM drift)
)sql";

ResourceRecord ReadResource(const Query& query) {
  ResourceRecord record;
  int column = 0;
  record.name = query.Text(column++);
  record.token.api_version = query.Text(column++);
  record.token.kind = query.Text(column++);
  record.target = ReadTarget(query, column);
  column += 3;
  record.provider = query.Text(column++);
  record.role = query.Text(column++);
  record.accepted = query.Bool(column++);
  record.spec = query.Text(column++);
  record.options = query.Text(column++);
  record.labels = query.Text(column++);
  record.annotations = query.Text(column++);
  record.digest = query.Text(column++);
  record.source_file = query.Text(column++);
  record.source_line = static_cast<int>(query.Int(column++));
  record.generation = query.Int(column++);
  record.observed_generation = query.Int(column++);
  record.status.state = ResourceStateFromString(query.Text(column++));
  record.status.reason = query.Text(column++);
  record.status.message = query.Text(column++);
  record.status_since = query.Time(column++);
  record.outputs = query.Text(column++);
  record.suspended = query.Bool(column++);
  record.missing_scans = static_cast<int>(query.Int(column));
  return record;
}

TargetRecord ReadTargetRecord(const Query& query) {
  TargetRecord record;
  record.target = ReadTarget(query, 0);
  record.provider = query.Text(3);
  record.observed = query.Bool(4);
  record.exists = query.Bool(5);
  record.ever_written = query.Bool(6);
  record.etag = query.Text(7);
  record.policy_digest = query.Text(8);
  record.observed_at = query.Time(9);
  record.grants = query.Int(10);
  return record;
}

}  // namespace

std::vector<ResourceRecord> ReadResources(Connection& connection) {
  std::vector<ResourceRecord> records;
  Query query(connection, kResources);
  while (query.Next()) records.push_back(ReadResource(query));
  return records;
}

std::vector<TargetRecord> ReadTargets(Connection& connection) {
  std::vector<TargetRecord> records;
  Query query(connection, kTargets);
  while (query.Next()) records.push_back(ReadTargetRecord(query));
  return records;
}

std::optional<GenerationRecord> ReadLastGeneration(Connection& connection) {
  Query query(connection,
              "SELECT id, time, digest, files, manifests, problems FROM generations "
              "ORDER BY id DESC LIMIT 1");
  if (!query.Next()) return std::nullopt;
  GenerationRecord record;
  record.id = query.Int(0);
  record.time = query.Time(1);
  record.digest = query.Text(2);
  record.files = query.Int(3);
  record.manifests = query.Int(4);
  record.problems = query.Int(5);
  return record;
}

std::vector<ManifestProblemRecord> ReadProblems(Connection& connection) {
  std::vector<ManifestProblemRecord> records;
  Query query(connection,
              "SELECT file, line, col, path, severity, code, message, resource "
              "FROM manifest_problems ORDER BY id");
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

std::vector<HoldRecord> ReadHolds(Connection& connection) {
  std::vector<HoldRecord> records;
  Query query(connection,
              "SELECT digest, created, state, reason, purpose, items, actor FROM holds "
              "ORDER BY created, digest");
  while (query.Next()) {
    HoldRecord record;
    record.digest = query.Text(0);
    record.created = query.Time(1);
    record.state = query.Text(2);
    record.reason = query.Text(3);
    record.purpose = query.Text(4);
    record.items = query.Text(5);
    record.actor = query.Text(6);
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<IntentRecord> ReadOpenIntents(Connection& connection) {
  std::vector<IntentRecord> records;
  Query query(connection, kOpenIntents);
  while (query.Next()) {
    IntentRecord record;
    record.id = query.Int(0);
    record.target = ReadTarget(query, 1);
    record.started = query.Time(4);
    record.etag_before = query.Text(5);
    record.digest_before = query.Text(6);
    record.digest_desired = query.Text(7);
    record.actor = query.Text(8);
    records.push_back(std::move(record));
  }
  return records;
}

std::optional<std::string> ReadFact(Connection& connection, const std::string& name) {
  Query query(connection, "SELECT value FROM facts WHERE name = ?1", name);
  if (!query.Next()) return std::nullopt;
  return query.Text(0);
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
