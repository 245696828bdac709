#include "store/postgres/database_facts.h"

#include <libpq-fe.h>

#include "store/postgres/postgres_link.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

std::string Ask(PostgresLink& link, const std::string& sql) {
  const PostgresResult result = link.Run(sql);
  if (PQntuples(result.get()) == 0) return {};
  return PQgetvalue(result.get(), 0, 0);
}

bool Holds(PostgresLink& link, const std::string& condition) {
  return Ask(link, "SELECT " + condition) == "t";
}

std::string MissingRight(PostgresLink& link) {
  if (Holds(link, "to_regclass('bindery_schema') IS NULL")) {
    if (Holds(link, "current_schema() IS NULL")) return "a schema on its search_path";
    if (Holds(link, "has_schema_privilege(current_schema(), 'CREATE')")) return {};
    return "CREATE on the schema " + Ask(link, "SELECT current_schema()");
  }
  for (const char* table : {"lease", "replicas", "resources", "targets", "events", "intents"}) {
    for (const char* right : {"SELECT", "INSERT", "UPDATE", "DELETE"}) {
      const std::string asked =
          std::string("has_table_privilege('") + table + "', '" + right + "')";
      if (!Holds(link, asked)) return std::string(right) + " on the table " + table;
    }
  }
  return {};
}

std::chrono::milliseconds ClockAhead(PostgresLink& link) {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  const auto before = system_clock::now();
  const milliseconds there(
      std::stoll(Ask(link, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")));
  const auto middle = before + (system_clock::now() - before) / 2;
  return there - std::chrono::duration_cast<milliseconds>(middle.time_since_epoch());
}

/// pgpool-II answers these itself; a server takes "pool_version" for a setting that it does not
/// have: https://www.pgpool.net/docs/latest/en/html/sql-show-pool-version.html
void AskPooler(PostgresLink& link, DatabaseFacts& facts) {
  const auto version =
      store::Attempt("ask for the pooler", [&link] { return Ask(link, "SHOW pool_version"); });
  if (version) {
    facts.pooler = "pgpool-II " + *version;
    facts.balances_reads = Ask(link, "PGPOOL SHOW load_balance_mode") != "off";
  } else if (link.alive() && link.IsPooled()) {
    facts.pooler = "a pooler like pgbouncer";
  }
}

DatabaseFacts ReadFacts(PostgresLink& link) {
  DatabaseFacts facts;
  facts.version = std::stoi(Ask(link, "SHOW server_version_num"));
  facts.version_text = Ask(link, "SHOW server_version");
  facts.encoding = Ask(link, "SHOW server_encoding");
  AskPooler(link, facts);
  facts.protection = link.protection();
  facts.missing_right = MissingRight(link);
  facts.clock_ahead = ClockAhead(link);
  facts.commits_are_durable = Ask(link, "SHOW synchronous_commit") != "off";
  facts.standbys = std::stoi(Ask(link, "SELECT count(*) FROM pg_stat_replication"));
  facts.standby_confirms = !Ask(link, "SHOW synchronous_standby_names").empty();
  return facts;
}

}  // namespace

Expected<DatabaseFacts> LookAtDatabase(const std::string& url) {
  auto link = PostgresLink::Connect(url, std::chrono::seconds(10));
  if (!link) return Fail(link.error());
  return store::Attempt("look at the database", [&] { return ReadFacts(**link); });
}

}  // namespace bindery::store
