#include "store/postgres/postgres_ground.h"

#include <libpq-fe.h>

#include "store/tables/migration_tables.h"

namespace bindery::store {
namespace {

constexpr const char* kSystem = "(SELECT system_identifier FROM pg_control_system())::text";

/// No statement here that begins with WITH writes.
bool IsRead(std::string_view sql) { return sql.starts_with("SELECT") || sql.starts_with("WITH"); }

std::string_view WithoutSpaces(std::string_view sql) {
  constexpr const char* kSpaces = " \n";
  const std::size_t first = sql.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return sql.substr(first, sql.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace

std::string ForPrimary(std::string_view sql) {
  sql = WithoutSpaces(sql);
  return (IsRead(sql) ? "/*NO LOAD BALANCE*/ " : "") + std::string(sql);
}

std::string OnServer(std::string_view sql, std::string_view server) {
  sql = WithoutSpaces(sql);
  if (!IsRead(sql)) return std::string(sql);
  // Unlike a condition it is evaluated once, and also where no row exists. A function that is
  // volatile besides keeps pgpool-II 4.2 and newer from giving the statement to a standby.
  return ForPrimary(sql) + " OFFSET CASE WHEN pg_is_in_recovery() OR " + kServer + " <> '" +
         std::string(server) + "' THEN -1 ELSE 0 END";
}

std::string ReadSystem(PostgresLink& link) {
  const PostgresResult may =
      link.Run("SELECT has_function_privilege('pg_control_system()', 'EXECUTE')");
  if (PQgetvalue(may.get(), 0, 0) != std::string_view("t")) return {};
  const PostgresResult system = link.Run(std::string("SELECT ") + kSystem);
  return PQgetvalue(system.get(), 0, 0);
}

std::string WitnessedDatabase(PostgresLink& link) {
  std::string names;
  for (const SharedTable& table : SharedTables()) {
    names += (names.empty() ? "'" : ", '") + std::string(table.name) + "'";
  }
  // A name found as statements of the store find it.
  const PostgresResult tables = link.Run(
      "SELECT current_database() || '/' || md5(string_agg(to_regclass(name)::oid::text, "
      "' ' ORDER BY name)) FROM unnest(ARRAY[" +
      names + "]) AS name");
  return ReadSystem(link) + "/" + PQgetvalue(tables.get(), 0, 0);
}

std::string AndSystem(std::string_view system) {
  if (system.empty()) return {};
  return std::string(" AND ") + kSystem + " = '" + std::string(system) + "'";
}

}  // namespace bindery::store
