#include "store/target_keys.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "store/engine_error.h"
#include "store/wide_statement.h"

namespace bindery::store {
namespace {

constexpr const char* kRead = R"sql(
SELECT k.kind, k.scope, n.name FROM target_keys k LEFT JOIN names n ON n.id = k.name
WHERE k.id = ?1
)sql";

constexpr const char* kReadAll = R"sql(
SELECT k.kind, k.scope, n.name, k.id FROM target_keys k LEFT JOIN names n ON n.id = k.name
)sql";

/// One text for the cache. The parts are told apart by a byte that no name, kind or scope holds.
std::string CacheKey(const Target& target) {
  std::string key;
  key.reserve(target.name.size() + target.kind.size() + target.scope.size() + 2);
  key.append(target.name)
      .append(1, '\0')
      .append(target.kind.str())
      .append(1, '\0')
      .append(target.scope.str());
  return key;
}

std::int64_t Remember(Connection& connection, const std::string& key, std::int64_t id) {
  if (id != 0) connection.caches().targets.Add(key, id);
  return id;
}

std::int64_t Find(Connection& connection, std::int64_t name, const Target& target) {
  Query query(connection, "SELECT id FROM target_keys WHERE name = ?1 AND kind = ?2 AND scope = ?3",
              name, InternWord(connection, target.kind.str()),
              InternWord(connection, target.scope.str()));
  return query.Next() ? query.Int(0) : 0;
}

/// A row of target_keys, as it is asked for: name, kind and scope.
using KeyRow = std::tuple<std::string, std::int64_t, std::int64_t>;

/// Adds the ids of these targets, whose ids are not remembered. Requires: at least one.
void FindSome(Connection& connection, std::span<const Target* const> targets,
              const WideStatement::Width& find, std::vector<std::int64_t>& ids) {
  std::map<KeyRow, const Target*> wanted;
  for (const Target* target : targets) {
    wanted.emplace(KeyRow(target->name, InternWord(connection, target->kind.str()),
                          InternWord(connection, target->scope.str())),
                   target);
  }
  WideExecution query(connection, find);
  for (std::size_t i = 0; i < find.count; ++i) {
    query->BindText(static_cast<int>(i) + 1, targets[std::min(i, targets.size() - 1)]->name);
  }
  while (query->Step()) {
    const auto found =
        wanted.find(KeyRow(std::string(query->View(0)), query->Int(1), query->Int(2)));
    if (found == wanted.end()) continue;
    ids.push_back(Remember(connection, CacheKey(*found->second), query->Int(3)));
  }
}

}  // namespace

std::vector<std::int64_t> FindTargetIds(Connection& connection,
                                        const std::vector<TargetKey>& targets) {
  static const WideStatement kFind(
      "SELECT n.name, k.kind, k.scope, k.id FROM names n JOIN target_keys k ON k.name = n.id "
      "WHERE n.name IN ",
      1);
  std::vector<std::int64_t> ids;
  std::vector<const Target*> unknown;
  ids.reserve(targets.size());
  for (const TargetKey& target : targets) {
    if (const auto id = connection.caches().targets.Find(CacheKey(*target)); id != 0) {
      ids.push_back(id);
    } else {
      unknown.push_back(&*target);
    }
  }
  for (std::span<const Target* const> left = unknown; !left.empty();) {
    const WideStatement::Width& find = kFind.For(left.size());
    const std::size_t count = std::min(left.size(), find.count);
    FindSome(connection, left.first(count), find, ids);
    left = left.subspan(count);
  }
  return ids;
}

std::int64_t FindTargetId(Connection& connection, const Target& target) {
  const std::string key = CacheKey(target);
  if (const std::int64_t known = connection.caches().targets.Find(key); known != 0) return known;
  const std::int64_t name = FindName(connection, target.name);
  if (name == 0 && !target.name.empty()) return 0;
  return Remember(connection, key, Find(connection, name, target));
}

std::int64_t InternTarget(Connection& connection, const Target& target) {
  const std::string key = CacheKey(target);
  if (const std::int64_t known = connection.caches().targets.Find(key); known != 0) return known;
  const std::int64_t known_name = FindName(connection, target.name);
  const bool new_name = known_name == 0 && !target.name.empty();
  const std::int64_t name = new_name ? AddName(connection, target.name) : known_name;
  std::int64_t id = new_name ? 0 : Find(connection, name, target);
  if (id == 0) {
    id = Insert(connection, "INSERT INTO target_keys (name, kind, scope) VALUES (?1, ?2, ?3)", name,
                InternWord(connection, target.kind.str()),
                InternWord(connection, target.scope.str()));
  }
  return Remember(connection, key, id);
}

void TargetReader::ReadAll() {
  Query query(connection_, kReadAll);
  while (query.Next()) targets_.insert_or_assign(query.Int(3), ReadTarget(query));
}

Target TargetReader::ReadTarget(const Query& query) {
  const std::string_view kind = words_.View(query, 0);
  if (kind_.str() != kind) kind_ = kind;
  const std::string_view scope = words_.View(query, 1);
  if (scope_.str() != scope) scope_ = scope;
  return Target{kind_, scope_, query.Text(2)};
}

const Target& TargetReader::At(std::int64_t id) {
  const auto [entry, added] = targets_.try_emplace(id);
  if (added) {
    Query query(connection_, kRead, id);
    if (!query.Next()) ThrowDamaged("there is no target " + std::to_string(id));
    entry->second = ReadTarget(query);
  }
  return entry->second;
}

}  // namespace bindery::store
