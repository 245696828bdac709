#pragma once

#include <optional>

#include "attribution/audit_log.h"
#include "core/access/audit_entry.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// The content of an event of Datadog's audit trail about a changed restriction policy, in the form
/// of the API or an archive; nothing for any other JSON. Without a source.
[[nodiscard]] std::optional<AuditEntry> ReadDatadogEntry(const Json& event);

/// The form of the audit trail.
[[nodiscard]] attribution::AuditLogReader DatadogAuditLog();

}  // namespace bindery::datadog
