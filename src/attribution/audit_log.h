#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/audit_entry.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::attribution {

/// The form of one cloud's audit log. Both functions are pure.
struct AuditLogReader {
  /// A record with none of the marks is not parsed: most records of most logs do not matter.
  std::vector<std::string> marks;
  /// The entry has the form of this cloud.
  bool (*is_own)(const Json& entry) = nullptr;
  /// The content of an own entry; nothing when the entry is not about a change of a policy.
  std::optional<AuditEntry> (*read)(const Json& entry) = nullptr;
};

/// Reads one record of an audit log of any of the clouds: the entries that matter, without a
/// source. A page of an API's answer is a record with many. kInvalidArgument for what is no JSON
/// object.
[[nodiscard]] Expected<std::vector<AuditEntry>> ReadRecord(
    std::string_view record, const std::vector<AuditLogReader>& readers);

/// The time in a record; a quick look for a metric, also at foreign
/// records.
[[nodiscard]] std::optional<WallTime> TimestampIn(std::string_view record);

}  // namespace bindery::attribution
