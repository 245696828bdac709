#include "attribution/audit_log.h"

#include <algorithm>

#include "attribution/entry_text.h"
#include "core/text/digest.h"

namespace bindery::attribution {
namespace {

bool MayMatter(std::string_view record, const std::vector<AuditLogReader>& readers) {
  return std::any_of(readers.begin(), readers.end(), [record](const AuditLogReader& reader) {
    return std::any_of(reader.marks.begin(), reader.marks.end(), [record](const std::string& mark) {
      return record.find(mark) != std::string_view::npos;
    });
  });
}

std::optional<AuditEntry> ReadEntry(const Json& value, const std::vector<AuditLogReader>& readers) {
  for (const AuditLogReader& reader : readers) {
    if (reader.is_own(value)) return reader.read(value);
  }
  return std::nullopt;
}

void Add(std::optional<AuditEntry> entry, std::string_view record,
         std::vector<AuditEntry>& entries) {
  if (!entry) return;
  constexpr std::size_t kEnough = 32;
  if (entry->id.empty()) entry->id = "sha256-" + Sha256Hex(record).substr(0, kEnough);
  entries.push_back(std::move(*entry));
}

}  // namespace

Expected<std::vector<AuditEntry>> ReadRecord(std::string_view record,
                                             const std::vector<AuditLogReader>& readers) {
  std::vector<AuditEntry> entries;
  if (!record.starts_with('{') || !record.ends_with('}')) {
    return Fail(Code::kInvalidArgument, "is no JSON object");
  }
  if (!MayMatter(record, readers)) return entries;
  const Expected<Json> value = ParseJson(record);
  if (!value) return Fail(value.error());
  const Json* page = FindMember(*value, "data");
  if (page == nullptr || !page->is_array()) {
    Add(ReadEntry(*value, readers), record, entries);
    return entries;
  }
  for (const Json& event : *page) Add(ReadEntry(event, readers), event.dump(), entries);
  return entries;
}

std::optional<WallTime> TimestampIn(std::string_view record) {
  // The last of several: an entry's own field comes after its content.
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
