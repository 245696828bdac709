#pragma once

#include "core/base/expected.h"
#include "store/postgres/postgres_link.h"

namespace bindery::store {

// The table bindery_schema holds the number of the schema and a digest of the tables. A number
// below zero says that the tables are half of a copy, which no daemon takes for a store: see
// migrate.h. Tables of another number or digest are kFailedPrecondition, and are not changed.

/// Makes the tables of a store in a database that has none; several programs may do so at once.
[[nodiscard]] Expected<void> MakePostgresStore(PostgresLink& link);

/// Makes nothing: kNotFound when no store exists, kFailedPrecondition when it is half of a copy.
[[nodiscard]] Expected<void> RequirePostgresStore(PostgresLink& link);

/// Whether the database is half of a copy.
[[nodiscard]] Expected<bool> IsHalfCopied(PostgresLink& link);

}  // namespace bindery::store
