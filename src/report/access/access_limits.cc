#include "report/access/access_limits.h"

namespace bindery::report {

const std::vector<std::string>& NotConsidered() {
  static const std::vector<std::string> kNotConsidered = {
      "policies inherited from folders, organizations and other containers of a target",
      "members of groups, domains and other sets of principals",
      "deny policies",
      "access boundary policies",
  };
  return kNotConsidered;
}

}  // namespace bindery::report
