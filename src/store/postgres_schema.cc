#include "store/postgres_schema.h"

#include <libpq-fe.h>

#include <array>
#include <string>

#include "store/engine_error.h"
#include "store/postgres_schema_steps.h"

namespace bindery::store {
namespace {

constexpr std::array kSteps = {&PostgresVersion1};
constexpr int kKnown = static_cast<int>(kSteps.size());

/// 0: there is no store. Below zero: it is half of a copy.
int StoredVersion(PostgresLink& link) {
  // A table that is not there is a failure, which would spoil the transaction.
  const PostgresResult there = link.Run("SELECT to_regclass('bindery_schema') IS NOT NULL");
  if (std::string_view(PQgetvalue(there.get(), 0, 0)) != "t") return 0;
  const PostgresResult version = link.Run("SELECT version FROM bindery_schema");
  if (PQntuples(version.get()) == 0) return 0;
  return std::stoi(PQgetvalue(version.get(), 0, 0));
}

/// Of a store that this program does not read.
Error OtherVersion(int found) {
  Error error;
  if (found < 0) {
    error.code = Code::kFailedPrecondition;
    error.message =
        "the store in the database is half of a copy: let \"bindery store migrate\" end, run the "
        "same command again, or drop the tables";
    return error;
  }
  error.code = Code::kFailedPrecondition;
  error.message = "the store in the database has schema version " + std::to_string(found) +
                  ", this program knows version " + std::to_string(kKnown) +
                  (found > kKnown ? ": use the program that wrote it, or a newer one"
                                  : ": start the daemon of this version once");
  return error;
}

/// In another encoding a text of some manifest would be refused while its grants are written.
Expected<void> RequireUtf8(PostgresLink& link) {
  const PostgresResult encoding = link.Run("SHOW server_encoding");
  const std::string found = PQgetvalue(encoding.get(), 0, 0);
  if (found == "UTF8") return {};
  return Fail(Code::kFailedPrecondition,
              "the database has the encoding " + found + ": make one with the encoding UTF8");
}

Expected<void> Upgrade(PostgresLink& link) {
  // One at a time; the number is "bndr".
  link.Run(
      "BEGIN; SET LOCAL lock_timeout = '30s'; SELECT pg_advisory_xact_lock(1651401842); "
      "CREATE TABLE IF NOT EXISTS bindery_schema (version INTEGER NOT NULL)");
  const int found = StoredVersion(link);
  if (found < 0 || found > kKnown) {
    link.Run("ROLLBACK");
    return Fail(OtherVersion(found));
  }
  for (int version = found; version < kKnown; ++version) {
    link.Run(kSteps[static_cast<std::size_t>(version)]());
  }
  link.Run("DELETE FROM bindery_schema; INSERT INTO bindery_schema VALUES (" +
           std::to_string(kKnown) + "); COMMIT");
  return {};
}

}  // namespace

Expected<void> MakePostgresStore(PostgresLink& link) {
  return Attempt("make the store", [&]() -> Expected<void> {
    const int found = StoredVersion(link);
    if (found > kKnown) return Fail(OtherVersion(found));
    if (auto utf8 = RequireUtf8(link); !utf8) return utf8;
    return found == 0 ? Upgrade(link) : Expected<void>{};
  });
}

Expected<void> UpgradePostgresStore(PostgresLink& link) {
  return Attempt("upgrade the store", [&]() -> Expected<void> {
    // Who needs no upgrade needs no right to make tables.
    return StoredVersion(link) == kKnown ? Expected<void>{} : Upgrade(link);
  });
}

Expected<bool> IsHalfCopied(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<bool> {
    const int found = StoredVersion(link);
    if (found >= 0 || found == -kKnown) return found < 0;
    return Fail(Code::kFailedPrecondition,
                "the database holds half of a copy with schema version " + std::to_string(-found) +
                    ", this program knows version " + std::to_string(kKnown) +
                    ": drop its tables to begin anew");
  });
}

Expected<void> RequirePostgresVersion(PostgresLink& link) {
  return Attempt("read the store", [&]() -> Expected<void> {
    const int found = StoredVersion(link);
    if (found == kKnown) return {};
    if (found == 0) return Fail(Code::kNotFound, "there is no store in the database");
    return Fail(OtherVersion(found));
  });
}

}  // namespace bindery::store
