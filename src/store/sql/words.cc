#include "store/sql/words.h"

#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

// Shorter ones take as little room by themselves.
constexpr std::size_t kShortestWord = 4;

}  // namespace

std::int64_t FindWord(Connection& connection, std::string_view text) {
  IdCache& cache = connection.caches().words;
  if (const std::int64_t known = cache.Find(text); known != 0) return known;
  if (const auto foreseen = connection.caches().foreseen.words.Find(text)) return *foreseen;
  Query query(connection, "SELECT id FROM words WHERE text = ?1", text);
  if (!query.Next()) return 0;
  cache.Add(text, query.Int(0));
  return query.Int(0);
}

std::int64_t InternWord(Connection& connection, std::string_view text) {
  if (const std::int64_t known = FindWord(connection, text); known != 0) return known;
  const std::int64_t id = Insert(connection, "INSERT INTO words (text) VALUES (?1)", text);
  connection.caches().words.Add(text, id);
  connection.caches().foreseen.words.Update(text, id);
  return id;
}

WordOrText Shared(Connection& connection, std::string_view text) {
  if (text.size() < kShortestWord) return {0, text};
  if (const std::int64_t known = connection.caches().words.Find(text); known != 0)
    return {known, {}};
  if (!connection.caches().repeated.SeenBefore(text)) return {0, text};
  return {InternWord(connection, text), {}};
}

std::int64_t FindName(Connection& connection, std::string_view name) {
  auto& recent = connection.caches().names;
  if (const std::int64_t known = recent.Find(name); known != 0) return known;
  if (const auto foreseen = connection.caches().foreseen.names.Find(name)) return *foreseen;
  Query query(connection, "SELECT id FROM names WHERE name = ?1", name);
  if (!query.Next()) return 0;
  recent.Add(name, query.Int(0));
  return query.Int(0);
}

std::int64_t AddName(Connection& connection, std::string_view name) {
  const std::int64_t id = Insert(connection, "INSERT INTO names (name) VALUES (?1)", name);
  connection.caches().names.Add(name, id);
  connection.caches().foreseen.names.Update(name, id);
  return id;
}

std::int64_t InternName(Connection& connection, std::string_view name) {
  if (name.empty()) return 0;
  if (const std::int64_t known = FindName(connection, name); known != 0) return known;
  return AddName(connection, name);
}

std::string_view WordReader::View(const Query& query, int column) {
  return query.IsInt(column) ? std::string_view(Word(query.Int(column))) : query.View(column);
}

const std::string& WordReader::ReadWord(std::int64_t id) {
  const auto range = neighbours_.Of(connection_, id);
  Query query(connection_, "SELECT id, text FROM words WHERE id BETWEEN ?1 AND ?2", range.first,
              range.last);
  while (query.Next()) connection_.words().Add(query.Int(0), query.View(1));
  const std::string* read = connection_.words().Find(id);
  if (read == nullptr) ThrowNoRow("words", id);
  return *read;
}

}  // namespace bindery::store
