#include <algorithm>
#include <limits>

#include "core/base/json.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

constexpr const char* kEntries = R"sql(
SELECT target, time, id, actor, impersonator, method, agent, source, detail, grants
FROM audit_entries WHERE target = ?1 AND time BETWEEN ?2 AND ?3 ORDER BY time, id LIMIT ?4
)sql";

/// Of the texts of the grants; in memory they are several times as large.
constexpr std::size_t kMostBytes = 16U << 20U;

AuditDetail ReadDetail(std::int64_t number) {
  const auto last = static_cast<std::int64_t>(AuditDetail::kTargetRemoved);
  return static_cast<AuditDetail>(std::clamp<std::int64_t>(number, 0, last));
}

std::vector<AuditedGrant> ListGrants(std::string_view text) {
  std::vector<AuditedGrant> grants;
  const auto list = ParseJson(text);
  if (!list || !list->is_array()) return grants;
  for (const Json& grant : *list) {
    grants.push_back({GrantFromJson(grant), FindMember(grant, "removed") == nullptr});
  }
  return grants;
}

}  // namespace

std::optional<std::vector<AuditEntry>> ReadAuditEntries(Connection& connection,
                                                        const AuditFilter& filter) {
  std::vector<AuditEntry> entries;
  const std::int64_t from =
      filter.from ? ToMillis(*filter.from) : std::numeric_limits<std::int64_t>::min();
  Query query(connection, kEntries, filter.target, from, filter.until,
              static_cast<std::int64_t>(filter.limit));
  std::size_t bytes = 0;
  while (query.Next()) {
    bytes += query.View(9).size();
    if (bytes > kMostBytes) return std::nullopt;
    AuditEntry entry;
    entry.target = query.Text(0);
    entry.time = query.Time(1);
    entry.id = query.Text(2);
    entry.actor = query.Text(3);
    entry.impersonator = query.Text(4);
    entry.method = query.Text(5);
    entry.agent = query.Text(6);
    entry.source = query.Text(7);
    entry.detail = ReadDetail(query.Int(8));
    entry.grants = ListGrants(query.View(9));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<AuditFile> ReadAuditFiles(Connection& connection) {
  std::vector<AuditFile> files;
  Query query(connection, "SELECT path, inode, \"offset\", lines FROM audit_files ORDER BY path");
  while (query.Next()) files.push_back({query.Text(0), query.Int(1), query.Int(2), query.Int(3)});
  return files;
}

}  // namespace bindery::store
