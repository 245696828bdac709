#pragma once

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's spelling
class Database;
}  // namespace SQLite

namespace bindery::store {

/// Gives the connection the SQL functions that steps of the schema call: digest_bytes(hex) and
/// packed_policy(json). Throws what SQLiteCpp throws.
void RegisterUpgradeFunctions(SQLite::Database& database);

}  // namespace bindery::store
