#pragma once

#include "store/connection.h"

namespace bindery::store {

/// Gives the connection the SQL functions that steps of the schema call: digest_bytes(hex) and
/// packed_policy(json). Throws what SQLiteCpp throws.
void RegisterUpgradeFunctions(SQLite::Database& database);

}  // namespace bindery::store
