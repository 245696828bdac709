#include "store/migration/migration_ends.h"

#include <string>
#include <utility>

#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_opening.h"
#include "store/sqlite/opening.h"
#include "store/tables/schema.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {

namespace {

/// A copy has the columns that this program knows.
Expected<void> RequireOwnVersion(const Expected<int>& version) {
  if (!version) return Fail(version.error());
  if (*version == kSchemaVersion) return {};
  return Fail(Code::kFailedPrecondition,
              "the store has schema version " + std::to_string(*version) +
                  ", and a copy by this program would lose what only later versions keep: migrate "
                  "it with the version of bindery that made it");
}

}  // namespace

Expected<MigrationSource> MigrationSource::Open(const StoreLocation& location,
                                                const StoreSharing& sharing) {
  MigrationSource source;
  if (!location.InDatabase()) {
    // Before the lock, because the lock would make a folder.
    auto connection = OpenForReading(location.file);
    if (!connection) return Fail(connection.error());
    if (auto own = RequireOwnVersion(GetVersion((*connection)->database())); !own) {
      return Fail(own.error());
    }
    source.connection_ = std::move(*connection);
    auto lock = LockForUpkeep(location.file.string(), "migrate the store");
    if (!lock) return Fail(lock.error());
    source.lock_ = std::move(*lock);
    return source;
  }
  // Before the lease, which would make the tables.
  auto link = PostgresLink::Connect(location.database);
  if (!link) return Fail(link.error());
  if (auto known = RequirePostgresStore(**link); !known) return Fail(known.error());
  if (auto own = RequireOwnVersion(ReadPostgresVersion(**link)); !own) return Fail(own.error());
  auto lease = Lease::Take(location.database, sharing);
  if (!lease) return Fail(lease.error().Wrap("cannot migrate the store"));
  source.lease_ = std::move(*lease);
  source.connection_ = std::make_unique<PostgresConnection>(location.database);
  return source;
}

Expected<void> MigrationSource::StillHeld() const {
  if (lease_ != nullptr && !lease_->holds()) return Fail(Code::kUnavailable, lease_->Why());
  if (lock_ && !lock_->Holds()) {
    return Fail(Code::kUnavailable, "the lock file of the store was removed while it was copied");
  }
  return {};
}

Expected<std::unique_ptr<MigrationTarget>> MigrationTarget::Open(const StoreLocation& location,
                                                                 const std::string& source,
                                                                 const StoreSharing& sharing) {
  return location.InDatabase() ? OpenDatabaseTarget(location.database, source, sharing)
                               : OpenFileTarget(location.file.string(), source);
}

void WriteMigrationMark(Connection& connection, const std::string& source) {
  Run(connection, "CREATE TABLE bindery_migration (source TEXT NOT NULL PRIMARY KEY)");
  // The table must exist when the next statement is prepared.
  connection.Settle();
  Run(connection, "INSERT INTO bindery_migration (source) VALUES (?1)", std::string_view(source));
}

std::string ReadMigrationMark(Connection& connection) {
  Query query(connection, "SELECT source FROM bindery_migration");
  return query.Next() ? query.Text(0) : "";
}

void RemoveMigrationMark(Connection& connection) {
  Run(connection, "DROP TABLE bindery_migration");
}

Error OtherSource(const std::string& target, const std::string& source, const std::string& remedy) {
  Error error;
  error.code = Code::kAlreadyExists;
  error.message = target + " holds a part of " + source +
                  ", of a migration that was interrupted: name that store to go on, or " + remedy +
                  " to begin anew";
  return error;
}

}  // namespace bindery::store
