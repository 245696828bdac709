#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/settings/keeping_rules.h"

namespace bindery::report {

/// Those of `grants`, which no manifest declares, that a check of the target leaves by these rules
/// or by the rules of the kind, each with the reason in words. Pure.
[[nodiscard]] std::map<Grant, std::string> FindKeptGrants(const Target& target,
                                                          const std::vector<Grant>& grants,
                                                          const KeepingRules& rules, WallTime now);

}  // namespace bindery::report
