#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/settings/store_location.h"
#include "store/ports/sharing.h"
#include "store/postgres/lease.h"
#include "store/sql/connection.h"
#include "store/sqlite/lock_file.h"
#include "store/tables/migration_tables.h"

namespace bindery::store {

/// The store that a migration copies. During its lifetime no daemon writes to the store.
class MigrationSource {
 public:
  /// kNotFound when no store exists, kFailedPrecondition when it is in use, has other tables than
  /// this program's or is half of a copy itself.
  [[nodiscard]] static Expected<MigrationSource> Open(const StoreLocation& location,
                                                      const StoreSharing& sharing);

  [[nodiscard]] Connection& connection() { return *connection_; }
  /// Whether no writer could change the store since the opening.
  [[nodiscard]] Expected<void> StillHeld() const;

 private:
  MigrationSource() = default;
  std::optional<LockFile> lock_;
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<Connection> connection_;
};

/// The store that a migration makes. Until Finish() no daemon accepts the target as a store. Throws
/// EngineError unless stated otherwise.
class MigrationTarget {
 public:
  /// `source` names the copied store. kAlreadyExists when the target is a store, or half of a copy
  /// of a different store; kFailedPrecondition when the target is in use.
  [[nodiscard]] static Expected<std::unique_ptr<MigrationTarget>> Open(
      const StoreLocation& location, const std::string& source, const StoreSharing& sharing);

  MigrationTarget() = default;
  virtual ~MigrationTarget() = default;
  MigrationTarget(const MigrationTarget&) = delete;
  MigrationTarget& operator=(const MigrationTarget&) = delete;

  [[nodiscard]] virtual Connection& connection() = 0;
  /// Whether the target has rows of an interrupted migration.
  [[nodiscard]] virtual bool resumed() const = 0;
  /// Makes the numbers of a table's next rows greater than `number`. Within a transaction.
  virtual void CountOnAfter(const SharedTable& table, std::int64_t number) = 0;
  /// Makes the target a store. The connection must not be used any more.
  [[nodiscard]] virtual Expected<void> Finish() = 0;
};

[[nodiscard]] Expected<std::unique_ptr<MigrationTarget>> OpenFileTarget(const std::string& path,
                                                                        const std::string& source);
[[nodiscard]] Expected<std::unique_ptr<MigrationTarget>> OpenDatabaseTarget(
    const std::string& url, const std::string& source, const StoreSharing& sharing);

/// Begins the mark of a half-copied store: the table with the name of the source.
void WriteMigrationMark(Connection& connection, const std::string& source);
/// The name in the mark. Requires: the table exists.
[[nodiscard]] std::string ReadMigrationMark(Connection& connection);
void RemoveMigrationMark(Connection& connection);

/// Of a target with half of a copy of another store. `remedy` says how to begin anew.
[[nodiscard]] Error OtherSource(const std::string& target, const std::string& source,
                                const std::string& remedy);

}  // namespace bindery::store
