#pragma once

#include "manifests/schema/schema.h"

namespace bindery {

// What manifests of each kind hold. Each lives as long as the program.

[[nodiscard]] const KindSchema& RestrictionPolicySchema();
[[nodiscard]] const KindSchema& DatasetSchema();
[[nodiscard]] const KindSchema& LogsRestrictionQuerySchema();
[[nodiscard]] const KindSchema& GetCurrentUserSchema();
[[nodiscard]] const KindSchema& GetRoleSchema();
[[nodiscard]] const KindSchema& GetTeamSchema();
[[nodiscard]] const KindSchema& GetUserSchema();

}  // namespace bindery
