#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/sql/connection.h"
#include "store/upkeep/upkeep.h"

namespace bindery::store {

/// Maximum number of findings listed per check.
inline constexpr std::size_t kMostFindings = 100;

/// Numbers that name a missing row. They are no foreign keys to SQLite.
void CheckReferences(Connection& connection, std::vector<StoreFinding>& findings);

/// Unpacks every policy and compares the policy with its digest. Returns the number of policies.
[[nodiscard]] std::int64_t CheckPolicies(Connection& connection,
                                         std::vector<StoreFinding>& findings);

}  // namespace bindery::store
