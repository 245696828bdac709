#include <algorithm>
#include <tuple>

#include "store/placeholders.h"
#include "store/reads.h"
#include "store/target_keys.h"

namespace bindery::store {
namespace {

constexpr const char* kResources = R"sql(
SELECT n.name, api_version, kind, target_id, provider, role, accepted, spec, options, labels,
  annotations, digest, source_file, source_line, generation, observed_generation, state, reason,
  message, status_since, outputs, suspended, missing_scans
FROM resources r CROSS JOIN names n ON n.id = r.id
)sql";

constexpr const char* kTargets = R"sql(
SELECT t.target_id, provider, observed, present, ever_written, etag, p.digest, observed_at, grants
FROM targets t CROSS JOIN observations o ON o.target_id = t.target_id
  LEFT JOIN policies p ON p.id = t.policy_id
)sql";

ResourceRecord ReadResource(const Query& query, WordReader& words, TargetReader& targets) {
  ResourceRecord record;
  int column = 0;
  record.name = query.Text(column++);
  record.token.api_version = words.Text(query, column++);
  record.token.kind = words.Text(query, column++);
  record.target = targets.At(query.Int(column++));
  record.provider = words.Text(query, column++);
  if (query.Int(column) != 0) record.role = words.Text(query, column);
  ++column;
  const auto lengthened = [&](int at) {
    return Lengthen(query.View(at), query.IsBlob(at), record.target.name, record.role);
  };
  record.accepted = query.Bool(column++);
  record.spec = lengthened(column++);
  record.options = words.Text(query, column++);
  record.labels = words.Text(query, column++);
  record.annotations = words.Text(query, column++);
  record.digest = query.Digest(column++);
  record.source_file = words.Text(query, column++);
  record.source_line = static_cast<int>(query.Int(column++));
  record.generation = query.Int(column++);
  record.observed_generation = query.Int(column++);
  record.status.state = ResourceStateFromString(words.Text(query, column++));
  record.status.reason = words.Text(query, column++);
  record.status.message = words.Text(query, column++);
  record.status_since = query.Time(column++);
  record.outputs = lengthened(column++);
  record.suspended = query.Bool(column++);
  record.missing_scans = static_cast<int>(query.Int(column));
  return record;
}

TargetRecord ReadTargetRecord(const Query& query, WordReader& words, TargetReader& targets) {
  TargetRecord record;
  record.target = targets.At(query.Int(0));
  record.provider = words.Text(query, 1);
  record.observed = query.Bool(2);
  record.exists = query.Bool(3);
  record.ever_written = query.Bool(4);
  record.etag = query.Text(5);
  record.policy_digest = query.Digest(6);
  record.observed_at = query.Time(7);
  record.grants = query.Int(8);
  return record;
}

}  // namespace

void EachResource(Connection& connection, const std::function<void(ResourceRecord&&)>& take) {
  WordReader words(connection);
  TargetReader targets(connection, words);
  targets.ReadAll();
  Query query(connection, kResources);
  while (query.Next()) take(ReadResource(query, words, targets));
}

void EachTarget(Connection& connection, const std::function<void(TargetRecord&&)>& take) {
  WordReader words(connection);
  TargetReader targets(connection, words);
  targets.ReadAll();
  Query query(connection, kTargets);
  while (query.Next()) take(ReadTargetRecord(query, words, targets));
}

void EachFile(Connection& connection, const std::function<void(FileRecord&&)>& take) {
  Query query(connection, "SELECT path, stamp, digest FROM files");
  while (query.Next()) take(FileRecord{query.Text(0), query.Text(1), query.Digest(2)});
}

std::vector<ResourceRecord> ReadResources(Connection& connection) {
  std::vector<ResourceRecord> records;
  EachResource(connection, [&](ResourceRecord&& record) { records.push_back(std::move(record)); });
  std::sort(records.begin(), records.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  return records;
}

std::vector<TargetRecord> ReadTargets(Connection& connection) {
  std::vector<TargetRecord> records;
  EachTarget(connection, [&](TargetRecord&& record) { records.push_back(std::move(record)); });
  const auto key = [](const TargetRecord& record) {
    return std::tie(record.target.name, record.target.kind, record.target.scope);
  };
  std::sort(records.begin(), records.end(),
            [&](const auto& left, const auto& right) { return key(left) < key(right); });
  return records;
}

std::vector<FileRecord> ReadFiles(Connection& connection) {
  std::vector<FileRecord> records;
  EachFile(connection, [&](FileRecord&& record) { records.push_back(std::move(record)); });
  return records;
}

}  // namespace bindery::store
