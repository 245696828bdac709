#pragma once

#include <optional>

#include "attribution/audit_log.h"
#include "core/access/audit_entry.h"
#include "core/base/json.h"

namespace bindery::google {

/// What a LogEntry with an AuditLog of Google Cloud says, when it is a call that changed the policy
/// of a target of ours, or deleted the target; nothing for any other JSON. Without a source.
[[nodiscard]] std::optional<AuditEntry> ReadGoogleEntry(const Json& entry);

/// The form of Cloud Audit Logs.
[[nodiscard]] attribution::AuditLogReader GoogleAuditLog();

}  // namespace bindery::google
