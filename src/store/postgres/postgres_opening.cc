#include "store/postgres/postgres_opening.h"

#include <libpq-fe.h>

#include <cstdlib>
#include <string>

#include "core/text/digest.h"
#include "store/sql/engine_error.h"
#include "store/tables/schema.h"

namespace bindery::store {
namespace {

enum class TablesState { kNothing, kWhole, kHalfOfACopy };

const std::string& DigestOfTables() {
  static const std::string kDigest = Sha256Hex(PostgresTables());
  return kDigest;
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

Expected<TablesState> Look(PostgresLink& link) {
  // A missing table is a failure, which would spoil the transaction.
  const PostgresResult there = link.Run("SELECT to_regclass('bindery_schema') IS NOT NULL");
  if (std::string_view(PQgetvalue(there.get(), 0, 0)) != "t") return TablesState::kNothing;
  // Versions before 0.1.0 may have made the table without the digest.
  const PostgresResult row =
      link.Run("SELECT version, coalesce(to_jsonb(s) ->> 'tables', '') FROM bindery_schema s");
  if (PQntuples(row.get()) == 0) return TablesState::kNothing;
  const int signed_version = std::stoi(PQgetvalue(row.get(), 0, 0));
  const int version = std::abs(signed_version);
  if (version != kSchemaVersion) {
    return Fail(
        OtherTables(version, "this program reads version " + std::to_string(kSchemaVersion)));
  }
  if (PQgetvalue(row.get(), 0, 1) != DigestOfTables()) {
    return Fail(OtherTables(version, "but other tables than this program makes"));
  }
  return signed_version < 0 ? TablesState::kHalfOfACopy : TablesState::kWhole;
}

/// In another encoding a text of some manifest would be refused while its grants are written.
Expected<void> RequireUtf8(PostgresLink& link) {
  const PostgresResult encoding = link.Run("SHOW server_encoding");
  const std::string found = PQgetvalue(encoding.get(), 0, 0);
  if (found == "UTF8") return {};
  return Fail(Code::kFailedPrecondition,
              "the database has the encoding " + found + ": make one with the encoding UTF8");
}

Expected<void> MakeTables(PostgresLink& link) {
  // Singly; the number is "bndr".
  link.Run(
      "BEGIN; SET LOCAL lock_timeout = '30s'; SELECT pg_advisory_xact_lock(1651401842); "
      "CREATE TABLE IF NOT EXISTS bindery_schema "
      "(version INTEGER NOT NULL PRIMARY KEY, tables TEXT NOT NULL)");
  const auto found = Look(link);
  if (!found || *found != TablesState::kNothing) {
    link.Run("ROLLBACK");
    return found ? Expected<void>{} : Fail(found.error());
  }
  link.Run(PostgresTables());
  link.Run("INSERT INTO bindery_schema VALUES (" + std::to_string(kSchemaVersion) + ", '" +
           DigestOfTables() + "'); COMMIT");
  return {};
}

}  // namespace

Expected<void> MakePostgresStore(PostgresLink& link) {
  return Attempt("make the store", [&]() -> Expected<void> {
    const auto found = Look(link);
    if (!found) return Fail(found.error());
    if (auto utf8 = RequireUtf8(link); !utf8) return utf8;
    // A user without tables to make needs no right to make tables.
    return *found == TablesState::kNothing ? MakeTables(link) : Expected<void>{};
  });
}

Expected<void> RequirePostgresStore(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<void> {
    const auto found = Look(link);
    if (!found) return Fail(found.error());
    switch (*found) {
      case TablesState::kWhole:
        break;
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

Expected<bool> IsHalfCopied(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<bool> {
    const auto found = Look(link);
    if (!found) return Fail(found.error());
    return *found == TablesState::kHalfOfACopy;
  });
}

}  // namespace bindery::store
