#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <span>
#include <string>
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
constexpr const char* kResourceColumns =
    "SELECT n.name, r.id, api_version, kind, target_id, provider, role, accepted, spec, options, "
    "labels, "
    "annotations, digest, source_file, source_line, generation, observed_generation, state, "
    "reason, message, status_since, outputs, suspended, missing_scans, grants, untouched, age ";

std::string SelectResources(const char* rest) { return std::string(kResourceColumns) + rest; }

/// Readings of resources.
struct ResourceReads {
  // With the columns of the target behind the others, in the order of TargetReader::Take().
  std::string all =
      "SELECT n.name, r.id, api_version, r.kind, target_id, provider, role, accepted, spec, "
      "options, labels, annotations, digest, source_file, source_line, generation, "
      "observed_generation, state, reason, message, status_since, outputs, suspended, "
      "missing_scans, grants, untouched, age, k.kind, k.scope, t.name, k.name "
      "FROM resources r LEFT JOIN names n ON n.id = r.id LEFT JOIN target_keys k "
      "ON k.id = r.target_id LEFT JOIN names t ON t.id = k.name";
  std::string named =
      SelectResources("FROM names n JOIN resources r ON r.id = n.id WHERE n.name = ?1");
  // By the index of the names: nothing is read beyond the limit. The page is a table of its own, as
  // OnServer() adds an OFFSET to the statement.
  std::string by_name = "SELECT * FROM (" +
                        SelectResources(
                            "FROM names n CROSS JOIN resources r WHERE r.id = n.id "
                            "ORDER BY n.name LIMIT ?1 OFFSET ?2") +
                        ") page ORDER BY name";
  // By the terms of the indexes resources_claim and resources_others.
  std::string claims_on = SelectResources(
      "FROM resources r JOIN names n ON n.id = r.id "
      "WHERE target_id = ?1 AND accepted = 1 AND role <> 0");
  std::string others_on = SelectResources(
      "FROM resources r JOIN names n ON n.id = r.id "
      "WHERE target_id = ?1 AND (accepted = 0 OR role = 0)");
};

/// Each always at the same place, by which connections know their statements.
const ResourceReads& ReadsOfResources() {
  static const ResourceReads kReads;
  return kReads;
}

constexpr const char* kTargetsNamed = R"sql(
SELECT t.target_id, provider, observed, present, ever_written, etag, p.digest, observed_at, grants,
  undeclared
FROM names n JOIN target_keys k ON k.name = n.id JOIN targets t ON t.target_id = k.id
  JOIN observations o ON o.target_id = t.target_id LEFT JOIN policies p ON p.id = t.policy_id
WHERE n.name = ?1
)sql";

// On record for a resource in force alone: once for each such resource.
constexpr std::array<const char*, 2> kNeverRead = {
    R"sql(
SELECT r.target_id, provider
FROM names n JOIN target_keys k ON k.name = n.id JOIN resources r ON r.target_id = k.id
WHERE n.name = ?1 AND accepted = 1 AND role <> 0
  AND NOT EXISTS (SELECT 1 FROM targets t WHERE t.target_id = k.id)
)sql",
    R"sql(
SELECT r.target_id, provider
FROM names n JOIN target_keys k ON k.name = n.id JOIN resources r ON r.target_id = k.id
WHERE n.name = ?1 AND accepted = 1 AND role = 0
  AND NOT EXISTS (SELECT 1 FROM targets t WHERE t.target_id = k.id)
)sql"};

constexpr const char* kTargets = R"sql(
SELECT t.target_id, provider, observed, present, ever_written, etag, p.digest, observed_at, grants,
  undeclared, k.kind, k.scope, n.name, k.name
FROM targets t CROSS JOIN observations o LEFT JOIN policies p ON p.id = t.policy_id
  LEFT JOIN target_keys k ON k.id = t.target_id LEFT JOIN names n ON n.id = k.name
WHERE o.target_id = t.target_id
)sql";

/// Into a used record: texts keep their room, so that hardly anything is allocated. `find_target`
/// gives the target of an id.
template <typename FindTarget>
void ReadResource(const Query& query, WordReader& words, const FindTarget& find_target,
                  ResourceRecord& record) {
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
  record.target = find_target(query.Int(column++));
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

void ReadResource(const Query& query, WordReader& words, TargetReader& targets,
                  ResourceRecord& record) {
  ReadResource(
      query, words, [&](std::int64_t id) -> const Target& { return targets.At(id); }, record);
}

void ReadTargetRecord(const Query& query, WordReader& words, const Target& target,
                      TargetRecord& record) {
  record.target = target;
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
    constexpr int kTarget = 10;
    Query query(connection_, kTargets);
    while (query.Next()) {
      ReadTargetRecord(query, words_, targets_.Take(query, query.Int(0), kTarget), next());
    }
  }

  void EachResource(const NextRecord<ResourceRecord>& next) {
    constexpr int kTarget = 27;
    Query query(connection_, ReadsOfResources().all.c_str());
    const auto target = [&](std::int64_t id) -> const Target& {
      return targets_.Take(query, id, kTarget);
    };
    while (query.Next()) ReadResource(query, words_, target, next());
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

std::vector<ResourceRecord> ReadResourcesOn(Connection& connection, const Target& target) {
  std::vector<ResourceRecord> records;
  const std::int64_t id = ReadTargetId(connection, target);
  if (id == 0) return records;
  WordReader words(connection);
  TargetReader targets(connection, words);
  for (const std::string* sql : {&ReadsOfResources().claims_on, &ReadsOfResources().others_on}) {
    Query query(connection, sql->c_str(), id);
    while (query.Next()) ReadResource(query, words, targets, records.emplace_back());
  }
  std::ranges::sort(records, {}, &ResourceRecord::name);
  return records;
}

std::vector<ResourceRecord> ReadResourcesOnEach(Connection& connection,
                                                const std::vector<Target>& targets) {
  // As the two of one target.
  static const std::string kFrom =
      SelectResources("FROM resources r JOIN names n ON n.id = r.id WHERE ");
  static const WideStatement kClaims(kFrom + "accepted = 1 AND role <> 0 AND target_id IN ", 1);
  static const WideStatement kOthers(kFrom + "(accepted = 0 OR role = 0) AND target_id IN ", 1);
  std::vector<const Target*> asked;
  asked.reserve(targets.size());
  for (const Target& target : targets) asked.push_back(&target);
  std::vector<std::int64_t> ids;
  ReadTargetIds(connection, asked,
                [&ids](const Target& /*target*/, std::int64_t id) { ids.push_back(id); });
  WordReader words(connection);
  TargetReader names(connection, words);
  std::vector<ResourceRecord> records;
  for (const WideStatement* statement : {&kClaims, &kOthers}) {
    ForEachRow(connection, *statement, std::span<const std::int64_t>(ids),
               [&](const Query& row) { ReadResource(row, words, names, records.emplace_back()); });
  }
  return records;
}

namespace {

struct Part {
  std::size_t offset = 0;
  std::size_t limit = std::numeric_limits<std::int32_t>::max();
};

void EachOfPart(Connection& connection, const Part& part, const NextRecord<ResourceRecord>& next) {
  const auto number = [](std::size_t of) {
    return static_cast<std::int64_t>(std::min<std::size_t>(of, Part().limit));
  };
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection, ReadsOfResources().by_name.c_str(), number(part.limit),
              number(part.offset));
  while (query.Next()) ReadResource(query, words, targets, next());
}

}  // namespace

void EachResourceByName(Connection& connection, const NextRecord<ResourceRecord>& next) {
  EachOfPart(connection, {}, next);
}

std::vector<ResourceRecord> ReadResourcesByName(Connection& connection, std::size_t offset,
                                                std::size_t limit) {
  std::vector<ResourceRecord> records;
  EachOfPart(connection, {offset, limit},
             [&]() -> ResourceRecord& { return records.emplace_back(); });
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
  while (query.Next()) {
    ReadTargetRecord(query, words, targets.At(query.Int(0)), records.emplace_back());
  }
  std::set<std::int64_t> never_read;
  for (const char* sql : kNeverRead) {
    Query unread(connection, sql, name);
    while (unread.Next()) {
      if (!never_read.insert(unread.Int(0)).second) continue;
      TargetRecord& record = records.emplace_back();
      record.target = targets.At(unread.Int(0));
      record.provider = words.View(unread, 1);
    }
  }
  return InOrder(std::move(records));
}

}  // namespace bindery::store
