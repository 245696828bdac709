#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <utility>

#include "sqlite/copy.h"
#include "store/sql/engine_error.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/upkeep/check_content.h"
#include "store/upkeep/upkeep.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {
namespace {

std::vector<StoreTable> ListTables(SqliteConnection& connection) {
  std::vector<StoreTable> tables;
  {
    Query query(connection,
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                "ORDER BY name");
    while (query.Next()) tables.push_back({query.Text(0), 0, 0});
  }
  for (StoreTable& table : tables) {
    table.rows =
        connection.database().execAndGet("SELECT count(*) FROM \"" + table.name + "\"").getInt64();
  }
  return tables;
}

/// Of each table with its indexes. An SQLite without dbstat has none to tell.
void AddSizes(SqliteConnection& connection, std::vector<StoreTable>& tables) {
  std::map<std::string, std::int64_t> sizes;
  const auto read = store::Attempt("measure the tables", [&] {
    Query query(connection,
                "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s "
                "ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY s.tbl_name");
    while (query.Next()) sizes[query.Text(0)] = query.Int(1);
  });
  if (!read) return;
  for (StoreTable& table : tables) table.bytes = sizes[table.name];
}

void ReadEventTimes(SqliteConnection& connection, StoreCheck& check) {
  Query query(connection, "SELECT min(time), max(time) FROM events");
  if (!query.Next() || query.IsNull(0)) return;
  check.oldest_event = query.Time(0);
  check.newest_event = query.Time(1);
}

/// Rows can be checked only in known tables.
Expected<void> CheckRows(SqliteConnection& connection, StoreCheck& check) {
  if (const auto known = HasStore(connection.database()); !known) {
    if (!sqlite::SaysOtherTables(known.error())) return Fail(known.error());
    check.findings.push_back(
        {"version", known.error().message + ": only the pages could be checked"});
    return {};
  }
  ReadEventTimes(connection, check);
  CheckReferences(connection, check.findings);
  check.policies = CheckPolicies(connection, check.findings);
  return {};
}

Expected<void> CheckAll(SqliteConnection& connection, StoreCheck& check) {
  return store::Attempt("check the store", [&]() -> Expected<void> {
    const ReadTransaction one_state(connection);
    SQLite::Database& database = connection.database();
    const auto integrity = sqlite::IntegrityFindings(database, kMostFindings);
    if (!integrity) return Fail(integrity.error());
    for (const std::string& finding : *integrity) check.findings.push_back({"integrity", finding});
    const std::int64_t page = database.execAndGet("PRAGMA page_size").getInt64();
    check.free_bytes = page * database.execAndGet("PRAGMA freelist_count").getInt64();
    check.tables = ListTables(connection);
    AddSizes(connection, check.tables);
    return CheckRows(connection, check);
  });
}

/// A damaged store was checked, with a result.
Expected<StoreCheck> FoundOrFailed(StoreCheck check, const Error& error) {
  if (!sqlite::SaysDamaged(error)) return Fail(error);
  check.findings.push_back({"integrity", error.message});
  return check;
}

}  // namespace

Expected<StoreCheck> CheckStore(const std::filesystem::path& store) {
  StoreCheck check;
  check.bytes = MeasureBytes(store.string());
  check.wal_bytes = MeasureBytes(store.string() + "-wal");
  auto database = OpenAnyVersion(store.string());
  if (!database) return FoundOrFailed(std::move(check), database.error());
  const auto version = GetVersion(**database);
  if (!version) return FoundOrFailed(std::move(check), version.error());
  check.schema_version = *version;
  SqliteConnection connection(std::move(*database));
  if (auto done = CheckAll(connection, check); !done) {
    return FoundOrFailed(std::move(check), done.error());
  }
  return check;
}

}  // namespace bindery::store
