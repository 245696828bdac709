#pragma once

#include <optional>

#include "core/audit_entry.h"
#include "core/json.h"

namespace bindery::attribution {

/// What an event of Datadog's audit trail says, as the API or an archive has it, when it is about a
/// changed restriction policy; nothing for any other JSON. Without a source.
[[nodiscard]] std::optional<AuditEntry> ReadDatadogEntry(const Json& event);

}  // namespace bindery::attribution
