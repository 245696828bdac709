#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/planner.h"

namespace bindery {

/// Whom resources wait for in vain: each with the one that it needs and that no pass makes as it is
/// declared, as it cannot be read, is only observed, suspended, refused, or waits itself.
using VainWaits = std::map<std::string, std::string>;

/// Finds them by what was read, one result for each task, and takes out of their plans what would
/// be written for them: until the others are as declared their differences are only reported.
VainWaits HoldBackWaiting(const PlanScope& scope, std::vector<CheckResult>& checked);

}  // namespace bindery
