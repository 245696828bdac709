#include "store/postgres/postgres_ids.h"

#include <libpq-fe.h>

#include <algorithm>

namespace bindery::store {

std::int64_t PostgresIds::Next(PostgresLink& link, const std::string& table) {
  Drawn& drawn = drawn_[table];
  if (drawn.next == drawn.ids.size()) Draw(link, table, drawn);
  return drawn.ids.at(drawn.next++);
}

std::int64_t PostgresIds::LastGiven(const std::string& table) const {
  const auto found = drawn_.find(table);
  if (found == drawn_.end()) return 0;
  const auto& [ids, next] = found->second;
  return next < ids.size() ? ids[next] - 1 : 0;
}

/// Small draws for tables with few rows.
void PostgresIds::Draw(PostgresLink& link, const std::string& table, Drawn& drawn) {
  constexpr std::size_t kLeast = 8;
  constexpr std::size_t kMost = 1024;
  constexpr std::size_t kGrowth = 4;
  const std::size_t wanted = std::clamp(drawn.ids.size() * kGrowth, kLeast, kMost);
  const PostgresResult rows =
      link.Run("SELECT nextval('" + table + "_id_seq') FROM generate_series(1, " +
               std::to_string(wanted) + ")");
  drawn = {};
  for (int row = 0; row < PQntuples(rows.get()); ++row) {
    drawn.ids.push_back(std::stoll(PQgetvalue(rows.get(), row, 0)));
  }
}

}  // namespace bindery::store
