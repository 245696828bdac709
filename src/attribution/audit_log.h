#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/audit_entry.h"
#include "core/expected.h"

namespace bindery::attribution {

/// Reads one record of an audit log, of whichever form: the entries that matter, without a source.
/// An answer of Datadog's API is a record with many. kInvalidArgument for what is no JSON object.
[[nodiscard]] Expected<std::vector<AuditEntry>> ReadRecord(std::string_view record);

/// When a record says that it happened; a quick look for a metric, also at records that are none of
/// ours.
[[nodiscard]] std::optional<WallTime> TimestampIn(std::string_view record);

}  // namespace bindery::attribution
