#pragma once

#include <optional>

#include "attribution/audit_log.h"
#include "core/audit_entry.h"
#include "core/json.h"

namespace bindery::attribution {

/// What an event of Datadog's audit trail says, as the API or an archive has it, when it is about a
/// changed restriction policy; nothing for any other JSON. Without a source.
[[nodiscard]] std::optional<AuditEntry> ReadDatadogEntry(const Json& event);

/// The form of the audit trail.
[[nodiscard]] AuditLogReader DatadogAuditLog();

}  // namespace bindery::attribution
