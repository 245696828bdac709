#include "attribution/audit_log.h"

#include <algorithm>
#include <array>

#include "attribution/datadog_audit_log.h"
#include "attribution/entry_text.h"
#include "attribution/google_audit_log.h"
#include "core/digest.h"

namespace bindery::attribution {
namespace {

/// Most records of most logs are none of ours: parsing them all would take longer than the rest.
/// Without the first letter, which some services write small.
constexpr std::array<std::string_view, 4> kMarks = {"etIamPolicy", "eleteAuthorizationPolicy",
                                                    "eleteManagementServer", "restriction_policy"};

bool MayMatter(std::string_view record) {
  return std::any_of(kMarks.begin(), kMarks.end(), [record](std::string_view mark) {
    return record.find(mark) != std::string_view::npos;
  });
}

std::optional<AuditEntry> ReadEntry(const Json& value) {
  if (FindMember(value, "protoPayload") != nullptr) return ReadGoogleEntry(value);
  return ReadDatadogEntry(value);
}

void Add(std::optional<AuditEntry> entry, std::string_view record,
         std::vector<AuditEntry>& entries) {
  if (!entry) return;
  constexpr std::size_t kEnough = 32;
  if (entry->id.empty()) entry->id = "sha256-" + Sha256Hex(record).substr(0, kEnough);
  entries.push_back(std::move(*entry));
}

}  // namespace

Expected<std::vector<AuditEntry>> ReadRecord(std::string_view record) {
  std::vector<AuditEntry> entries;
  if (!record.starts_with('{') || !record.ends_with('}')) {
    return Fail(Code::kInvalidArgument, "is no JSON object");
  }
  if (!MayMatter(record)) return entries;
  const Expected<Json> value = ParseJson(record);
  if (!value) return Fail(value.error());
  const Json* page = FindMember(*value, "data");
  if (page == nullptr || !page->is_array()) {
    Add(ReadEntry(*value), record, entries);
    return entries;
  }
  for (const Json& event : *page) Add(ReadEntry(event), event.dump(), entries);
  return entries;
}

std::optional<WallTime> TimestampIn(std::string_view record) {
  // Of several the last: that of a Google entry stands behind what it speaks of.
  const std::string_view name = "\"timestamp\"";
  std::size_t at = record.rfind(name);
  if (at == std::string_view::npos) return std::nullopt;
  at = record.find_first_not_of(" :", at + name.size());
  if (at == std::string_view::npos || record[at] != '"') return std::nullopt;
  const std::size_t end = record.find('"', at + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return TimeIn(record.substr(at + 1, end - at - 1));
}

}  // namespace bindery::attribution
