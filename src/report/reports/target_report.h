#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
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

/// One target with its whole policy; with `attribution` also the authors of differing lines.
/// kNotFound when no such target exists, kInvalidArgument when several providers have such a
/// target.
[[nodiscard]] Expected<TargetDetail> TargetReport(const store::ReportReader& store,
                                                  const TargetName& wanted, WallTime now,
                                                  bool attribution = false);

}  // namespace bindery::report
