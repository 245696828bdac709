#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/settings/keeping_rules.h"

namespace bindery::report {

/// Why an undeclared grant stays.
struct KeptGrant {
  bool configured = false;  ///< By the configuration; else by a rule of the kind, as for the grants
                            ///< that a cloud makes for services of its own.
  std::string why;          ///< In words.
};

/// No manifest declares any of `grants`. The result has the grants that a check of the target keeps
/// by `rules` or by the rules of the kind, each with the reason. A coverage counts the same grants
/// as grants of service agents or as accepted grants. Pure.
[[nodiscard]] std::map<Grant, KeptGrant> FindKeptGrants(const Target& target,
                                                        const std::vector<Grant>& grants,
                                                        const KeepingRules& rules, WallTime now);

}  // namespace bindery::report
