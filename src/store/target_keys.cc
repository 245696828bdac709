#include "store/target_keys.h"

namespace bindery::store {

std::optional<std::int64_t> FindTargetId(Connection& connection, const Target& target) {
  Query query(connection, "SELECT id FROM target_keys WHERE name = ?1 AND kind = ?2 AND scope = ?3",
              target.name, target.kind, target.scope);
  if (!query.Next()) return std::nullopt;
  return query.Int(0);
}

std::int64_t InternTarget(Connection& connection, const Target& target) {
  if (const auto known = FindTargetId(connection, target)) return *known;
  Run(connection, "INSERT INTO target_keys (name, kind, scope) VALUES (?1, ?2, ?3)", target.name,
      target.kind, target.scope);
  return LastId(connection);
}

Target ReadTarget(const Query& query, int first_column) {
  return Target{query.Text(first_column), query.Text(first_column + 1),
                query.Text(first_column + 2)};
}

}  // namespace bindery::store
