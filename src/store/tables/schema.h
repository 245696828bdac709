#pragma once

#include <cstdint>

namespace bindery::store {

/// "bndr": marks a database file as a store of bindery (`PRAGMA application_id`), so that a
/// different program's file is refused.
inline constexpr std::int64_t kApplicationId = 0x626e6472;

/// The number of the schema, the same for both engines. A program reads a store with its number
/// and tables, and refuses every other one. Until 0.1.0 the tables are edited in place and the
/// number stays; with 0.1.0 the texts below are fixed, and a change is a step to the next number.
inline constexpr int kSchemaVersion = 1;

/// The statements that make the tables of an empty store.
[[nodiscard]] const char* SqliteTables();
[[nodiscard]] const char* PostgresTables();

}  // namespace bindery::store
