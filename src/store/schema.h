#pragma once

#include <cstdint>
#include <span>

namespace bindery::store {

/// "bndr": marks a database file as a store of bindery (`PRAGMA application_id`), so that another
/// program's file is refused instead of being upgraded.
inline constexpr std::int64_t kApplicationId = 0x626e6472;

/// The steps that build the schema: step i leads from version i to version i + 1. A released step
/// is never edited; a change of the schema is a new step at the end.
[[nodiscard]] std::span<const char* const> SchemaSteps();

}  // namespace bindery::store
