#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "store/sql/engine_error.h"
#include "store/sql/placeholders.h"
#include "store/sql/stored_words.h"
#include "store/sql/target_keys.h"
#include "store/sql/wide_statement.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

/// The columns as ReadResource() reads them.
// With the columns of the target behind the others, in the order of TargetReader::Take().
constexpr const char* kResourceColumns =
    "SELECT n.name, r.id, api_version, r.kind, r.target_id, r.provider, role, accepted, spec, "
    "options, labels, annotations, digest, source_file, source_line, generation, "
    "observed_generation, state, reason, message, status_since, outputs, suspended, "
    "missing_scans, r.grants, untouched, age, k.kind, k.scope, t.name, k.name";

constexpr const char* kTargetsOfResources =
    " LEFT JOIN target_keys k ON k.id = r.target_id LEFT JOIN names t ON t.id = k.name ";

std::string SelectResources(const std::string& from, const std::string& rest = "") {
  return std::string(kResourceColumns) + " " + from + kTargetsOfResources + rest;
}

/// The same with the time of ObservedResource behind.
std::string SelectObserved(const std::string& from, const std::string& rest) {
  return std::string(kResourceColumns) + ", o.observed_at " + from + kTargetsOfResources +
         "LEFT JOIN targets s ON s.target_id = r.target_id AND s.observed = 1 "
         "LEFT JOIN observations o ON o.target_id = s.target_id " +
         rest;
}

/// Readings of resources.
struct ResourceReads {
  std::string all = SelectResources("FROM resources r LEFT JOIN names n ON n.id = r.id");
  std::string named =
      SelectResources("FROM names n JOIN resources r ON r.id = n.id", "WHERE n.name = ?1");
  // By the index of the names: nothing is sorted.
  std::string by_name =
      SelectObserved("FROM names n CROSS JOIN resources r", "WHERE r.id = n.id ORDER BY n.name");
};

/// Each always at the same place, by which connections know their statements.
const ResourceReads& ReadsOfResources() {
  static const ResourceReads kReads;
  return kReads;
}

constexpr const char* kTargetsNamed = R"sql(
SELECT t.target_id, provider, observed, present, ever_written, etag, p.digest, observed_at, grants,
  undeclared, k.kind, k.scope, n.name, k.name
FROM names n JOIN target_keys k ON k.name = n.id JOIN targets t ON t.target_id = k.id
  JOIN observations o ON o.target_id = t.target_id LEFT JOIN policies p ON p.id = t.policy_id
WHERE n.name = ?1
)sql";

// On record for a resource in force alone: once for each such resource. By the terms of the indexes
// resources_claim and resources_others.
constexpr const char* kNeverRead = R"sql(
SELECT r.target_id, provider, k.kind, k.scope, n.name, k.name
FROM names n JOIN target_keys k ON k.name = n.id JOIN resources r ON r.target_id = k.id
WHERE n.name = ?1 AND accepted = 1 AND role <> 0
  AND NOT EXISTS (SELECT 1 FROM targets t WHERE t.target_id = k.id)
UNION ALL
SELECT r.target_id, provider, k.kind, k.scope, n.name, k.name
FROM names n JOIN target_keys k ON k.name = n.id JOIN resources r ON r.target_id = k.id
WHERE n.name = ?1 AND accepted = 1 AND role = 0
  AND NOT EXISTS (SELECT 1 FROM targets t WHERE t.target_id = k.id)
)sql";

constexpr const char* kTargets = R"sql(
SELECT t.target_id, provider, observed, present, ever_written, etag, p.digest, observed_at, grants,
  undeclared, k.kind, k.scope, n.name, k.name
FROM targets t CROSS JOIN observations o LEFT JOIN policies p ON p.id = t.policy_id
  LEFT JOIN target_keys k ON k.id = t.target_id LEFT JOIN names n ON n.id = k.name
WHERE o.target_id = t.target_id
)sql";

/// Into a used record: texts keep their room, so that hardly anything is allocated.
void ReadResource(const Query& query, WordReader& words, TargetReader& targets,
                  ResourceRecord& record) {
  constexpr int kTarget = 27;
  int column = 0;
  const auto word = [&] { return words.View(query, column++); };
  const auto lengthened = [&](std::string& text) {
    Lengthen(query.View(column), query.IsBlob(column), record.target.name, record.role, text);
    ++column;
  };
  if (query.IsNull(column)) ThrowNoRow("names", query.Int(column + 1));
  record.name = query.View(column);
  column += 2;
  record.token.api_version = word();
  record.token.kind = word();
  record.target = targets.Take(query, query.Int(column++), kTarget);
  record.provider = word();
  record.role.clear();
  if (query.Int(column) != 0) record.role = words.View(query, column);
  ++column;
  record.accepted = query.Bool(column++);
  lengthened(record.spec);
  record.options = word();
  record.labels = word();
  record.annotations = word();
  query.Digest(column++, record.digest);
  record.source_file = word();
  record.source_line = static_cast<int>(query.Int(column++));
  record.generation = query.Int(column++);
  record.observed_generation = query.Int(column++);
  record.status.state = ReadWord(ResourceStateFromString, word());
  record.status.reason = word();
  record.status.message = word();
  record.status_since = query.Time(column++);
  lengthened(record.outputs);
  record.suspended = query.Bool(column++);
  record.missing_scans = static_cast<int>(query.Int(column++));
  record.grants = query.Int(column++);
  const std::int64_t flags = query.Int(column++);
  record.untouched = flags % 2 != 0;
  record.gave_up = flags / 2 % 2 != 0;
  record.age = query.Int(column);
}

void ReadTargetRecord(const Query& query, WordReader& words, TargetReader& targets,
                      TargetRecord& record) {
  constexpr int kTarget = 10;
  record.target = targets.Take(query, query.Int(0), kTarget);
  record.provider = words.View(query, 1);
  record.observed = query.Bool(2);
  record.exists = query.Bool(3);
  record.ever_written = query.Bool(4);
  record.etag = query.View(5);
  query.Digest(6, record.policy_digest);
  record.observed_at = query.Time(7);
  record.grants = query.Int(8);
  record.undeclared = query.Int(9);
}

/// Reads the common words of most rows once for the whole read. The names of targets come with the
/// rows: there may be more of them than memory should hold.
class BulkReader {
 public:
  explicit BulkReader(Connection& connection) : connection_(connection) {}

  void EachTarget(const NextRecord<TargetRecord>& next) {
    Query query(connection_, kTargets);
    while (query.Next()) ReadTargetRecord(query, words_, targets_, next());
  }

  void EachResource(const NextRecord<ResourceRecord>& next) {
    Query query(connection_, ReadsOfResources().all.c_str());
    while (query.Next()) ReadResource(query, words_, targets_, next());
  }

 private:
  Connection& connection_;
  WordReader words_{connection_};
  TargetReader targets_{connection_, words_};
};

}  // namespace

void EachResource(Connection& connection, const NextRecord<ResourceRecord>& next) {
  BulkReader(connection).EachResource(next);
}

void EachTarget(Connection& connection, const NextRecord<TargetRecord>& next) {
  BulkReader(connection).EachTarget(next);
}

void EachTargetAndResource(Connection& connection, const NextRecord<TargetRecord>& next_target,
                           const NextRecord<ResourceRecord>& next_resource) {
  BulkReader reader(connection);
  reader.EachTarget(next_target);
  reader.EachResource(next_resource);
}

void EachFile(Connection& connection, const std::function<void(FileRecord&&)>& take) {
  Query query(connection, "SELECT path, stamp, digest FROM files");
  while (query.Next()) take(FileRecord{query.Text(0), query.Text(1), query.Digest(2)});
}

std::vector<ResourceRecord> ReadResources(Connection& connection) {
  std::vector<ResourceRecord> records;
  EachResource(connection, [&]() -> ResourceRecord& { return records.emplace_back(); });
  std::sort(records.begin(), records.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  return records;
}

namespace {

/// The resources of the targets, in no particular order.
std::vector<ResourceRecord> ReadResourcesOnIds(Connection& connection,
                                               std::span<const std::int64_t> ids) {
  // By the terms of the indexes resources_claim and resources_others.
  static const std::string kFrom = "FROM resources r JOIN names n ON n.id = r.id";
  static const WideStatement kClaims(
      SelectResources(kFrom, "WHERE accepted = 1 AND role <> 0 AND target_id IN "), 1);
  static const WideStatement kOthers(
      SelectResources(kFrom, "WHERE (accepted = 0 OR role = 0) AND target_id IN "), 1);
  WordReader words(connection);
  TargetReader targets(connection, words);
  std::vector<ResourceRecord> records;
  for (const WideStatement* statement : {&kClaims, &kOthers}) {
    ForEachRow(connection, *statement, ids, [&](const Query& row) {
      ReadResource(row, words, targets, records.emplace_back());
    });
  }
  return records;
}

}  // namespace

std::vector<ResourceRecord> ReadResourcesOn(Connection& connection, const Target& target) {
  const std::int64_t id = ReadTargetId(connection, target);
  if (id == 0) return {};
  std::vector<ResourceRecord> records = ReadResourcesOnIds(connection, {&id, 1});
  std::ranges::sort(records, {}, &ResourceRecord::name);
  return records;
}

std::vector<ResourceRecord> ReadResourcesOnEach(Connection& connection,
                                                const std::vector<Target>& targets) {
  std::vector<std::int64_t> ids;
  ReadTargetIds(connection, targets,
                [&ids](const Target& /*target*/, std::int64_t id) { ids.push_back(id); });
  return ReadResourcesOnIds(connection, ids);
}

namespace {

void ReadObserved(const Query& query, WordReader& words, TargetReader& targets,
                  ObservedResource& observed) {
  constexpr int kTime = 31;
  ReadResource(query, words, targets, observed.resource);
  observed.observed_at = query.IsNull(kTime) ? WallTime() : query.Time(kTime);
}

}  // namespace

void EachResourceByName(Connection& connection, const NextRecord<ObservedResource>& next) {
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, ReadsOfResources().by_name.c_str());
  while (query.Next()) ReadObserved(query, words, targets, next());
}

std::vector<ObservedResource> ReadResourcesNamed(Connection& connection,
                                                 const std::vector<std::string>& names) {
  static const WideStatement kNamed(
      SelectObserved("FROM names n JOIN resources r ON r.id = n.id", "WHERE n.name IN "), 1);
  const std::vector<std::string_view> asked(names.begin(), names.end());
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < asked.size(); ++i) places.emplace(asked[i], i);
  WordReader words(connection);
  TargetReader targets(connection, words);
  std::vector<ObservedResource> records;
  ForEachRow(connection, kNamed, std::span<const std::string_view>(asked),
             [&](const Query& row) { ReadObserved(row, words, targets, records.emplace_back()); });
  std::ranges::sort(records, {}, [&](const ObservedResource& observed) {
    return places.at(observed.resource.name);
  });
  return records;
}

std::optional<ResourceRecord> FindResource(Connection& connection, const std::string& name) {
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, ReadsOfResources().named.c_str(), name);
  if (!query.Next()) return std::nullopt;
  ResourceRecord record;
  ReadResource(query, words, targets, record);
  return record;
}

namespace {

std::vector<TargetRecord> InOrder(std::vector<TargetRecord> records) {
  const auto key = [](const TargetRecord& record) {
    return std::tie(record.target.name, record.target.kind, record.target.scope);
  };
  std::sort(records.begin(), records.end(),
            [&](const auto& left, const auto& right) { return key(left) < key(right); });
  return records;
}

}  // namespace

std::vector<TargetRecord> ReadTargets(Connection& connection) {
  std::vector<TargetRecord> records;
  BulkReader(connection).EachTarget([&]() -> TargetRecord& { return records.emplace_back(); });
  return InOrder(std::move(records));
}

std::vector<TargetRecord> ReadTargetsNamed(Connection& connection, const std::string& name) {
  std::vector<TargetRecord> records;
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, kTargetsNamed, name);
  while (query.Next()) ReadTargetRecord(query, words, targets, records.emplace_back());
  std::set<std::int64_t> never_read;
  Query unread(connection, kNeverRead, name);
  while (unread.Next()) {
    if (!never_read.insert(unread.Int(0)).second) continue;
    constexpr int kTarget = 2;
    TargetRecord& record = records.emplace_back();
    record.target = targets.Take(unread, unread.Int(0), kTarget);
    record.provider = words.View(unread, 1);
  }
  return InOrder(std::move(records));
}

}  // namespace bindery::store
