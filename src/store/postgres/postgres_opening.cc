#include "store/postgres/postgres_opening.h"

#include <libpq-fe.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "core/text/digest.h"
#include "core/text/schema_steps.h"
#include "store/sql/engine_error.h"
#include "store/tables/schema.h"

namespace bindery::store {
namespace {

enum class TablesState { kNothing, kOlder, kWhole, kHalfOfACopy };

struct Found {
  TablesState state = TablesState::kNothing;
  int version = kFirstSchema;
};

int GetNewest(const StoreTables& tables) {
  return kFirstSchema + static_cast<int>(tables.steps.size());
}

/// The digest of the statements that made the tables of that version.
std::string DigestTables(const StoreTables& tables, int version) {
  return Sha256Hex(tables.first + JoinSteps(tables.steps, kFirstSchema, kFirstSchema, version));
}

Error OtherTables(int version, const std::string& why) {
  Error error;
  error.code = Code::kFailedPrecondition;
  error.message =
      "the store in the database has schema version " + std::to_string(version) + ", " + why +
      ": use the version of bindery that made it, or name another database or schema in "
      "store.url";
  return error;
}

Expected<Found> Look(PostgresLink& link, const StoreTables& tables) {
  // A missing table is a failure, which would spoil the transaction.
  const PostgresResult there = link.Run("SELECT to_regclass('bindery_schema') IS NOT NULL");
  if (std::string_view(PQgetvalue(there.get(), 0, 0)) != "t") return Found{};
  // Versions before 0.1.0 may have made the table without the digest.
  const PostgresResult row =
      link.Run("SELECT version, coalesce(to_jsonb(s) ->> 'tables', '') FROM bindery_schema s");
  if (PQntuples(row.get()) == 0) return Found{};
  const int signed_version = std::stoi(PQgetvalue(row.get(), 0, 0));
  const int version = std::abs(signed_version);
  const int newest = GetNewest(tables);
  // A copy that is not whole is ended by the version that began it.
  const bool half = signed_version < 0;
  const bool later = !half && version > newest && version < kNextGeneration;
  if (!later && (version < (half ? newest : kFirstSchema) || version > newest)) {
    return Fail(OtherTables(version, "this program reads version " + std::to_string(newest)));
  }
  if (!later && PQgetvalue(row.get(), 0, 1) != DigestTables(tables, version)) {
    return Fail(OtherTables(version, "but other tables than this program makes"));
  }
  if (half) return Found{TablesState::kHalfOfACopy, version};
  return Found{version < newest ? TablesState::kOlder : TablesState::kWhole, version};
}

/// In another encoding a text of some manifest would be refused while its grants are written.
Expected<void> RequireUtf8(PostgresLink& link) {
  const PostgresResult encoding = link.Run("SHOW server_encoding");
  const std::string found = PQgetvalue(encoding.get(), 0, 0);
  if (found == "UTF8") return {};
  return Fail(Code::kFailedPrecondition,
              "the database has the encoding " + found + ": make one with the encoding UTF8");
}

Expected<void> MakeTables(PostgresLink& link, const StoreTables& tables) {
  // Singly; the number is "bndr".
  link.Run(
      "BEGIN; SET LOCAL lock_timeout = '30s'; SELECT pg_advisory_xact_lock(1651401842); "
      "CREATE TABLE IF NOT EXISTS bindery_schema "
      "(version INTEGER NOT NULL PRIMARY KEY, tables TEXT NOT NULL)");
  const auto found = Look(link, tables);
  if (!found || found->state == TablesState::kWhole || found->state == TablesState::kHalfOfACopy) {
    link.Run("ROLLBACK");
    return found ? Expected<void>{} : Fail(found.error());
  }
  const int newest = GetNewest(tables);
  if (found->state == TablesState::kNothing) link.Run(tables.first);
  link.Run(JoinSteps(tables.steps, kFirstSchema, found->version, newest));
  link.Run("DELETE FROM bindery_schema; INSERT INTO bindery_schema VALUES (" +
           std::to_string(newest) + ", '" + DigestTables(tables, newest) + "'); COMMIT");
  return {};
}

}  // namespace

Expected<void> MakePostgresStore(PostgresLink& link, const StoreTables& tables) {
  return Attempt("make the store", [&]() -> Expected<void> {
    const auto found = Look(link, tables);
    if (!found) return Fail(found.error());
    if (auto utf8 = RequireUtf8(link); !utf8) return utf8;
    // A user without tables to make needs no right to make tables.
    const bool lacks = found->state == TablesState::kNothing || found->state == TablesState::kOlder;
    return lacks ? MakeTables(link, tables) : Expected<void>{};
  });
}

Expected<void> RequirePostgresStore(PostgresLink& link, const StoreTables& tables) {
  return Attempt("read the store", [&]() -> Expected<void> {
    const auto found = Look(link, tables);
    if (!found) return Fail(found.error());
    switch (found->state) {
      case TablesState::kWhole:
        break;
      case TablesState::kOlder:
        return Fail(Code::kFailedPrecondition,
                    "the store in the database is of an older version: the next start of a daemon "
                    "upgrades it");
      case TablesState::kNothing:
        return Fail(Code::kNotFound, "there is no store in the database");
      case TablesState::kHalfOfACopy:
        return Fail(Code::kFailedPrecondition,
                    "the store in the database is half of a copy: let \"bindery store migrate\" "
                    "end, run the same command again, or drop the tables");
    }
    return {};
  });
}

Expected<int> ReadPostgresVersion(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<int> {
    const auto found = Look(link, PostgresTables());
    return found ? found->version : Expected<int>(Fail(found.error()));
  });
}

Expected<bool> IsHalfCopied(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<bool> {
    const auto found = Look(link, PostgresTables());
    if (!found) return Fail(found.error());
    return found->state == TablesState::kHalfOfACopy;
  });
}

}  // namespace bindery::store
