#include "report/access/access_limits.h"

#include <utility>

namespace bindery::report {

GroupsBy SourceOfGroups(const AccessRecords& records) {
  if (records.group_asker != nullptr) return GroupsBy::kService;
  return records.groups == nullptr ? GroupsBy::kNobody : GroupsBy::kFiles;
}

std::vector<std::string> NotConsidered(std::vector<std::string> unknown, GroupsBy groups) {
  const char* sets = "members of groups, domains and other sets of principals";
  if (groups == GroupsBy::kFiles) {
    sets = "members of groups that no list has, of domains and of other sets of principals";
  } else if (groups == GroupsBy::kService) {
    sets = "members of domains and of other sets of principals";
  }
  std::vector<std::string> lines = std::move(unknown);
  lines.insert(lines.end(),
               {sets, "deny policies", "access boundary policies", "access policies of IAM v3",
                "access control lists of buckets and objects",
                "who may act as a service account with access"});
  return lines;
}

}  // namespace bindery::report
