#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/keeping_rules.h"
#include "report/values/target_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The name of a target. A restriction policy's name has a meaning only within its provider:
/// `scope` names the provider, and may be empty if only one target has the kind and name.
struct TargetName {
  std::string kind;
  std::string name;
  std::string scope;
};

/// What the report of a target goes by, besides the record.
struct TargetRules {
  bool attribution = false;  ///< Name the authors of differing lines and foreign revisions.
  KeepingRules keeping = {};
};

/// One target with its whole policy.
/// kNotFound when no such target exists, kInvalidArgument when several providers have such a
/// target.
[[nodiscard]] Expected<TargetDetail> TargetReport(const store::ReportReader& store,
                                                  const TargetName& wanted, WallTime now,
                                                  const TargetRules& rules = {});

}  // namespace bindery::report
