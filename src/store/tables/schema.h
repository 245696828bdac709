#pragma once

#include <cstdint>
#include <span>

namespace bindery::store {

/// "bndr": marks a database file as a store of bindery (`PRAGMA application_id`), so that a
/// different program's file is refused.
inline constexpr std::int64_t kApplicationId = 0x626e6472;

/// The versions of the schema, the same for both engines. The first is of 0.1.0. The hundreds are a
/// generation: within a generation, versions only add to the tables, and a program uses the stores
/// of later versions, too, so that replicas of both can share a store, and a program can be put
/// back to the one before. Stores of another generation are refused.
inline constexpr int kFirstSchema = 100;
inline constexpr int kSchemaVersion = 100;
inline constexpr int kNextGeneration = 200;

/// The tables of the stores of an engine.
struct StoreTables {
  const char* first = nullptr;  ///< SQL of version kFirstSchema. Its text never changes.
  /// SQL of each following version: `CREATE TABLE`, `CREATE INDEX`, and `ALTER TABLE … ADD COLUMN`
  /// of columns with a default. Their texts never change once they are released.
  std::span<const char* const> steps = {};
};

[[nodiscard]] StoreTables SqliteTables();
[[nodiscard]] StoreTables PostgresTables();

}  // namespace bindery::store
