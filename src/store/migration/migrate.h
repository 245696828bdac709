#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/settings/store_location.h"
#include "store/ports/sharing.h"

namespace bindery::store {

struct MigratedTable {
  std::string name;
  std::int64_t rows = 0;
};

struct StoreMigration {
  std::vector<MigratedTable> tables;
  std::int64_t rows = 0;
  bool resumed = false;  ///< It went on where an interrupted one ended.
};

/// Asked after each batch; false stops the migration, which can be resumed.
using MayGoOn = std::function<bool()>;

/// Copies a store from a file into a database or the other way round, and compares all rows of both
/// afterwards. `from` is only read. No daemon writes to either meanwhile: the migration holds the
/// lock of the file and the lease of the database, for which it waits as `sharing` says.
///
/// Until all is copied and compared `to` is no store: a file has the name `<path>.migrating`, the
/// tables of a database are marked. What was interrupted goes on with the next call for the same
/// `from`; tables whose copied rows are no longer those of `from` are copied anew.
///
/// kInvalidArgument: both are files, or both databases. kAlreadyExists: `to` has a file or rows, or
/// holds half of another store. kNotFound: there is no store `from`. kFailedPrecondition: a daemon
/// has one of them, or `from` has other tables than this program's. kCancelled: `may_go_on` said
/// so. kInternal: a table is not the same in both; the message names it.
[[nodiscard]] Expected<StoreMigration> MigrateStore(const StoreLocation& from,
                                                    const StoreLocation& to,
                                                    const StoreSharing& sharing = {},
                                                    const MayGoOn& may_go_on = {});

}  // namespace bindery::store
