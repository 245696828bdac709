#pragma once

#include <string>
#include <string_view>

#include "store/postgres/postgres_link.h"

namespace bindery::store {

// Which server answers. Poolers that balance reads (pgpool-II) may have each SELECT of a session,
// also within a transaction, answered by another server: a standby that is behind.

/// Names the running server, as SQL: no two servers start in one microsecond, and every user may
/// ask. https://www.postgresql.org/docs/15/functions-info.html
inline constexpr const char* kServer = "extract(epoch FROM pg_postmaster_start_time())::text";

/// Where `sql` is a SELECT (also one with WITH): the same with the comment that keeps pgpool-II
/// from giving it to a standby. Anything else is returned as it is.
/// https://www.pgpool.net/docs/latest/en/html/runtime-config-load-balancing.html
[[nodiscard]] std::string ForPrimary(std::string_view sql);

/// Where `sql` is a SELECT (also one with WITH): the same, but it fails with kElsewhereState unless
/// the server that carries it out takes writes and is `server`, a value of kServer. `sql` has no
/// OFFSET of its own. Anything else is returned as it is.
[[nodiscard]] std::string OnServer(std::string_view sql, std::string_view server);

/// The SQLSTATE of a statement by OnServer() that another server carried out (a negative OFFSET).
inline constexpr std::string_view kElsewhereState = "2201X";

/// The identifier of the system, which copies of its files share and a logical replica does not;
/// empty where the user may not ask for it. Throws EngineError.
[[nodiscard]] std::string ReadSystem(PostgresLink& link);

/// Names the tables of the store, for StoreMark::database: the system, the database, the identities
/// of its tables. A restore that makes tables anew gives others. Throws EngineError.
[[nodiscard]] std::string WitnessedDatabase(PostgresLink& link);

/// The system equals `system`, as a further condition of SQL; empty if `system` is.
[[nodiscard]] std::string AndSystem(std::string_view system);

}  // namespace bindery::store
