#pragma once

#include "core/base/expected.h"
#include "store/postgres/postgres_link.h"
#include "store/tables/schema.h"

namespace bindery::store {

// The table bindery_schema holds the version of the schema and a digest of the statements that make
// the tables. A version below zero says that the tables are half of a copy, which no daemon takes
// for a store: see migrate.h. Tables of another generation, or of an earlier version with another
// digest, are kFailedPrecondition, and are not changed.

/// Makes the tables of a store in a database that has none, and brings an older store to this
/// version; several programs may do so at once, and replicas of the older version go on.
[[nodiscard]] Expected<void> MakePostgresStore(PostgresLink& link,
                                               const StoreTables& tables = PostgresTables());

/// Makes nothing: kNotFound when no store exists, kFailedPrecondition when it is half of a copy or
/// of an older version.
[[nodiscard]] Expected<void> RequirePostgresStore(PostgresLink& link,
                                                  const StoreTables& tables = PostgresTables());

/// The version of the store in the database.
[[nodiscard]] Expected<int> ReadPostgresVersion(PostgresLink& link);

/// Whether the database is half of a copy.
[[nodiscard]] Expected<bool> IsHalfCopied(PostgresLink& link);

}  // namespace bindery::store
