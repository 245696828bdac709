#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/audit_entry.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery::attribution {

/// How one cloud writes its audit log. Both functions are pure.
struct AuditLogReader {
  /// A record with none of the texts is not parsed: most records of most logs do not matter.
  std::vector<std::string> marks;
  /// An entry is written as this cloud writes them.
  bool (*is_own)(const Json& entry) = nullptr;
  /// What an own entry says; nothing when it is not about a change of a policy.
  std::optional<AuditEntry> (*read)(const Json& entry) = nullptr;
};

/// Reads one record of an audit log of any of the clouds: the entries that matter, without a
/// source. A page of an API's answer is a record with many. kInvalidArgument for what is no JSON
/// object.
[[nodiscard]] Expected<std::vector<AuditEntry>> ReadRecord(
    std::string_view record, const std::vector<AuditLogReader>& readers);

/// When a record says that it happened; a quick look for a metric, also at records that are none of
/// ours.
[[nodiscard]] std::optional<WallTime> TimestampIn(std::string_view record);

}  // namespace bindery::attribution
