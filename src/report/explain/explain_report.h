#pragma once

#include <cstddef>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/values/explain_values.h"
#include "report/values/plan_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// Explains the state of a resource; with `attribution` also the authors of its differences, from
/// the audit logs. The last `revisions` of its target come with it. kNotFound as FindResource.
[[nodiscard]] Expected<Explanation> ExplainReport(const store::ReportReader& store,
                                                  const std::string& name, WallTime now,
                                                  bool attribution = false,
                                                  std::size_t revisions = 0);

/// Adds the next pass for the resource, by a plan of its target, or why the plan is
/// unknown.
void AddNextPass(Explanation& explanation, const Expected<PassPlan>& plan);

}  // namespace bindery::report
