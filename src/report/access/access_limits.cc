#include "report/access/access_limits.h"

#include <utility>

namespace bindery::report {

std::vector<std::string> NotConsidered(std::vector<std::string> inherited, bool lists) {
  const char* sets = lists ? "members of groups that no list has, of domains and of other sets of "
                             "principals"
                           : "members of groups, domains and other sets of principals";
  std::vector<std::string> lines = std::move(inherited);
  lines.insert(lines.end(), {sets, "deny policies", "access boundary policies"});
  return lines;
}

}  // namespace bindery::report
