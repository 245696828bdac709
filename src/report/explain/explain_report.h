#pragma once

#include <cstddef>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/keeping_rules.h"
#include "report/values/explain_values.h"
#include "report/values/plan_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The question, and the rules that the answer goes by.
struct ExplainQuery {
  std::string name;  ///< Of a resource.
  WallTime now;
  bool attribution = false;   ///< Also the authors of differences, from the audit logs.
  std::size_t revisions = 0;  ///< The number of the last revisions of the target in the answer.
  KeepingRules rules = {};
};

/// Explains the state of a resource. kNotFound as FindResource.
[[nodiscard]] Expected<Explanation> ExplainReport(const store::ReportReader& store,
                                                  const ExplainQuery& query);

/// Adds the next pass for the resource, by a plan of its target, or why the plan is
/// unknown.
void AddNextPass(Explanation& explanation, const Expected<PassPlan>& plan);

}  // namespace bindery::report
