#include "store/sql/target_keys.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "store/sql/engine_error.h"
#include "store/sql/wide_statement.h"

namespace bindery::store {
namespace {

constexpr const char* kRead = R"sql(
SELECT k.kind, k.scope, n.name, k.id, k.name FROM target_keys k LEFT JOIN names n ON n.id = k.name
WHERE k.id BETWEEN ?1 AND ?2
)sql";

/// 0: it is known not to be on record. Not set: that has to be asked for.
std::optional<std::int64_t> Known(Connection& connection, const std::string& key) {
  if (const auto id = connection.caches().targets.Find(key); id != 0) return id;
  return connection.caches().foreseen.targets.Find(key);
}

std::int64_t Remember(Connection& connection, const std::string& key, std::int64_t id) {
  if (id != 0) connection.caches().targets.Add(key, id);
  return id;
}

std::int64_t Find(Connection& connection, std::int64_t name, const Target& target) {
  Query query(connection, "SELECT id FROM target_keys WHERE name = ?1 AND kind = ?2 AND scope = ?3",
              name, FindWord(connection, target.kind.str()),
              FindWord(connection, target.scope.str()));
  return query.Next() ? query.Int(0) : 0;
}

// The name 0 stands for none.
constexpr const char* kTargetId = R"sql(
SELECT id FROM target_keys
WHERE name = (SELECT id FROM names WHERE name = ?1 UNION ALL SELECT 0 WHERE ?1 = '')
  AND kind = (SELECT id FROM words WHERE text = ?2)
  AND scope = (SELECT id FROM words WHERE text = ?3)
)sql";

/// A row of target_keys, as it is asked for: name, kind and scope.
using KeyRow = std::tuple<std::string_view, std::string_view, std::string_view>;

}  // namespace

std::string TargetText(const Target& target) {
  std::string key;
  key.reserve(target.name.size() + target.kind.size() + target.scope.size() + 2);
  key.append(target.name)
      .append(1, '\0')
      .append(target.kind.str())
      .append(1, '\0')
      .append(target.scope.str());
  return key;
}

void ReadTargetIds(Connection& connection, std::span<const Target* const> targets,
                   const std::function<void(const Target&, std::int64_t)>& take) {
  static const WideStatement kFind(
      "SELECT n.name, k.kind, k.scope, k.id FROM names n JOIN target_keys k ON k.name = n.id "
      "WHERE n.name IN ",
      1);
  std::map<KeyRow, const Target*> wanted;
  std::vector<std::string_view> names;
  names.reserve(targets.size());
  for (const Target* target : targets) {
    wanted.emplace(KeyRow(target->name, target->kind.str(), target->scope.str()), target);
    names.emplace_back(target->name);
  }
  WordReader words(connection);
  ForEachRow(connection, kFind, std::span<const std::string_view>(names), [&](const Query& row) {
    const auto found =
        wanted.find(KeyRow(row.View(0), words.Word(row.Int(1)), words.Word(row.Int(2))));
    if (found != wanted.end()) take(*found->second, row.Int(3));
  });
}

void ReadTargetIds(Connection& connection, const std::vector<Target>& targets,
                   const std::function<void(const Target&, std::int64_t)>& take) {
  std::vector<const Target*> asked;
  asked.reserve(targets.size());
  for (const Target& target : targets) asked.push_back(&target);
  ReadTargetIds(connection, std::span<const Target* const>(asked), take);
}

std::vector<std::int64_t> FindTargetIds(Connection& connection,
                                        const std::vector<TargetKey>& targets) {
  std::vector<std::int64_t> ids;
  std::vector<const Target*> unknown;
  ids.reserve(targets.size());
  for (const TargetKey& target : targets) {
    if (const auto id = connection.caches().targets.Find(TargetText(*target)); id != 0) {
      ids.push_back(id);
    } else {
      unknown.push_back(&*target);
    }
  }
  ReadTargetIds(connection, unknown, [&](const Target& target, std::int64_t id) {
    ids.push_back(Remember(connection, TargetText(target), id));
  });
  return ids;
}

std::int64_t FindTargetId(Connection& connection, const Target& target) {
  const std::string key = TargetText(target);
  if (const auto known = Known(connection, key)) return *known;
  const std::int64_t name = FindName(connection, target.name);
  if (name == 0 && !target.name.empty()) return 0;
  return Remember(connection, key, Find(connection, name, target));
}

std::int64_t ReadTargetId(Connection& connection, const Target& target) {
  Query query(connection, kTargetId, target.name, target.kind.str(), target.scope.str());
  return query.Next() ? query.Int(0) : 0;
}

std::int64_t InternTarget(Connection& connection, const Target& target) {
  const std::string key = TargetText(target);
  const auto known = Known(connection, key);
  if (known.value_or(0) != 0) return *known;
  const std::int64_t known_name = FindName(connection, target.name);
  const bool new_name = known_name == 0 && !target.name.empty();
  const std::int64_t name = new_name ? AddName(connection, target.name) : known_name;
  std::int64_t id = new_name || known ? 0 : Find(connection, name, target);
  if (id == 0) {
    id = Insert(connection, "INSERT INTO target_keys (name, kind, scope) VALUES (?1, ?2, ?3)", name,
                InternWord(connection, target.kind.str()),
                InternWord(connection, target.scope.str()));
    connection.caches().foreseen.AddTarget(key, id);
  }
  return Remember(connection, key, id);
}

void TargetReader::Keep(Query& query) {
  while (query.Next()) {
    if (query.IsNull(2) && query.Int(4) != 0) ThrowNoRow("names", query.Int(4));
    // The row before, because a text has to be looked up to be found.
    rows_.try_emplace(query.Int(3),
                      Row{query.Int(0), query.Int(1), {kind_, scope_, query.Text(2)}});
  }
}

void TargetReader::SetWords(std::int64_t kind, std::int64_t scope, Target& target) {
  const std::string& scope_word = words_.Word(scope);
  if (scope_.str() != scope_word) scope_ = scope_word;
  const std::string& kind_word = words_.Word(kind);
  if (kind_.str() != kind_word) kind_ = kind_word;
  target.scope = scope_;
  target.kind = kind_;
}

const Target& TargetReader::Complete(Row& row) {
  if (!row.complete) SetWords(row.kind, row.scope, row.target);
  row.complete = true;
  return row.target;
}

const Target& TargetReader::Take(const Query& query, std::int64_t id, int first) {
  if (query.IsNull(first)) ThrowNoRow("target_keys", id);
  if (query.IsNull(first + 2) && query.Int(first + 3) != 0)
    ThrowNoRow("names", query.Int(first + 3));
  SetWords(query.Int(first), query.Int(first + 1), taken_);
  taken_.name = query.View(first + 2);
  return taken_;
}

const Target& TargetReader::At(std::int64_t id) {
  if (const auto known = rows_.find(id); known != rows_.end()) return Complete(known->second);
  const auto range = neighbours_.Of(connection_, id);
  Query query(connection_, kRead, range.first, range.last);
  Keep(query);
  const auto read = rows_.find(id);
  if (read == rows_.end()) ThrowNoRow("target_keys", id);
  return Complete(read->second);
}

}  // namespace bindery::store
