#pragma once

#include "core/expected.h"
#include "store/postgres_link.h"

namespace bindery::store {

// The table bindery_schema holds the version of the tables. A version below zero says that they are
// half of a copy, which no daemon takes for a store: see migrate.h.

/// Makes the tables of a store in a database that has none; several programs may do so at once.
/// kFailedPrecondition when there is a store of a newer version.
[[nodiscard]] Expected<void> MakePostgresStore(PostgresLink& link);

/// Brings the tables up to date. For the holder of the lease, as a holder of an older version would
/// not understand them. kFailedPrecondition for half of a copy.
[[nodiscard]] Expected<void> UpgradePostgresStore(PostgresLink& link);

/// For readers, which make nothing: kNotFound when there is no store, kFailedPrecondition when it
/// is of another version or half of a copy.
[[nodiscard]] Expected<void> RequirePostgresVersion(PostgresLink& link);

/// Whether it is half of a copy; kFailedPrecondition when that is of another version.
[[nodiscard]] Expected<bool> IsHalfCopied(PostgresLink& link);

}  // namespace bindery::store
