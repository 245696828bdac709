#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/expected.h"
#include "core/store_location.h"
#include "store/connection.h"
#include "store/lease.h"
#include "store/lock_file.h"
#include "store/migration_tables.h"
#include "store/sharing.h"

namespace bindery::store {

/// The store that a migration copies. While this lives no daemon writes to it.
class MigrationSource {
 public:
  /// kNotFound when no store exists, kFailedPrecondition when it is in use, has other tables than
  /// this program's or is half of a copy itself.
  [[nodiscard]] static Expected<MigrationSource> Open(const StoreLocation& location,
                                                      const StoreSharing& sharing);

  [[nodiscard]] Connection& connection() { return *connection_; }
  /// Whether nobody could write to it since it was opened.
  [[nodiscard]] Expected<void> StillHeld() const;

 private:
  MigrationSource() = default;
  std::optional<LockFile> lock_;
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<Connection> connection_;
};

/// The store that a migration makes. Until Finish() no daemon takes it for one. Throws EngineError
/// where it says nothing else.
class MigrationTarget {
 public:
  /// `source` names the store that is copied. kAlreadyExists when there is a store, or half of a
  /// copy of a different one; kFailedPrecondition when it is in use.
  [[nodiscard]] static Expected<std::unique_ptr<MigrationTarget>> Open(
      const StoreLocation& location, const std::string& source, const StoreSharing& sharing);

  MigrationTarget() = default;
  virtual ~MigrationTarget() = default;
  MigrationTarget(const MigrationTarget&) = delete;
  MigrationTarget& operator=(const MigrationTarget&) = delete;

  [[nodiscard]] virtual Connection& connection() = 0;
  /// Whether it has rows of a migration that was interrupted.
  [[nodiscard]] virtual bool resumed() const = 0;
  /// Makes the numbers of a table's next rows greater than `number`. Within a transaction.
  virtual void CountOnAfter(const SharedTable& table, std::int64_t number) = 0;
  /// Makes it a store. Its connection is not to be used any more.
  [[nodiscard]] virtual Expected<void> Finish() = 0;
};

[[nodiscard]] Expected<std::unique_ptr<MigrationTarget>> OpenFileTarget(const std::string& path,
                                                                        const std::string& source);
[[nodiscard]] Expected<std::unique_ptr<MigrationTarget>> OpenDatabaseTarget(
    const std::string& url, const std::string& source, const StoreSharing& sharing);

/// Begins the mark of a store that is half of a copy: the table that says of which one.
void WriteMigrationMark(Connection& connection, const std::string& source);
/// What the mark says; the table must be there.
[[nodiscard]] std::string ReadMigrationMark(Connection& connection);
void RemoveMigrationMark(Connection& connection);

/// Of a target with half of a copy of another store. `remedy` says how to begin anew.
[[nodiscard]] Error OtherSource(const std::string& target, const std::string& source,
                                const std::string& remedy);

}  // namespace bindery::store
