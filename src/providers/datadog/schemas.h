#pragma once

#include "manifests/schema/schema.h"

namespace bindery::datadog {

// What manifests of each kind hold. Each lives as long as the program.

[[nodiscard]] const manifests::KindSchema& RestrictionPolicySchema();
[[nodiscard]] const manifests::KindSchema& DatasetSchema();
[[nodiscard]] const manifests::KindSchema& LogsRestrictionQuerySchema();
[[nodiscard]] const manifests::KindSchema& GetCurrentUserSchema();
[[nodiscard]] const manifests::KindSchema& GetRoleSchema();
[[nodiscard]] const manifests::KindSchema& GetTeamSchema();
[[nodiscard]] const manifests::KindSchema& GetUserSchema();

}  // namespace bindery::datadog
