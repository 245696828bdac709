#pragma once

#include <vector>

#include "core/access/grant.h"
#include "core/base/json.h"

namespace bindery::google {

// The audit configuration of an allow policy as units that are compared and edited like grants:
// role "auditConfigs/SERVICE" (claim_part.h), member "DATA_READ" for a log type that is on, and
// "DATA_READ exempts user:ana@example.com" for a member whose calls it leaves out.

/// The policy's member for the audit configuration.
inline constexpr const char* kAuditConfigs = "auditConfigs";

/// The units of an `auditConfigs` list, in order. An entry of a different form gives none.
[[nodiscard]] std::vector<Grant> ListAuditUnits(const Json& audit_configs);

/// A copy of `audit_configs` without the units of `removes` and with those of `adds`. What is not
/// named stays unchanged. Grants that are no units are passed over.
[[nodiscard]] Json EditAuditConfigs(const Json& audit_configs, const std::vector<Grant>& adds,
                                    const std::vector<Grant>& removes);

/// The `auditLogConfigs` of one service that give these units.
[[nodiscard]] Json MakeAuditLogConfigs(const std::vector<Grant>& units);

}  // namespace bindery::google
