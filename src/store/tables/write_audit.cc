#include "core/base/json.h"
#include "core/base/json_text.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kInsertEntry = R"sql(
INSERT INTO audit_entries
  (target, time, id, actor, impersonator, method, agent, source, detail, grants)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING
)sql";

constexpr const char* kUpsertLogFile = R"sql(
INSERT INTO audit_files (path, inode, "offset", lines) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (path) DO UPDATE SET (inode, "offset", lines) = (?2, ?3, ?4)
)sql";

std::string GrantsText(const std::vector<AuditedGrant>& grants) {
  if (grants.empty()) return {};
  Json list = Json::array();
  for (const AuditedGrant& audited : grants) {
    Json grant = ToJson(audited.grant, kIamWords);
    if (!audited.added) grant["removed"] = true;
    list.push_back(std::move(grant));
  }
  return CompactJson(list);
}

}  // namespace

void AddAuditEntries(Connection& connection, const std::vector<AuditEntry>& entries) {
  for (const AuditEntry& entry : entries) {
    const std::string grants = GrantsText(entry.grants);
    Run(connection, kInsertEntry, entry.target, entry.time, entry.id, entry.actor,
        entry.impersonator, entry.method, entry.agent, entry.source, static_cast<int>(entry.detail),
        grants);
  }
}

void UpsertAuditFiles(Connection& connection, const std::vector<AuditFile>& files) {
  for (const AuditFile& file : files) {
    Run(connection, kUpsertLogFile, file.path, file.inode, file.offset, file.lines);
  }
}

void ForgetAuditFiles(Connection& connection, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    Run(connection, "DELETE FROM audit_files WHERE path = ?1", path);
  }
}

}  // namespace bindery::store
