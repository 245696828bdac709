#pragma once

#include <string>

#include "core/clock.h"
#include "core/expected.h"
#include "report/explain_values.h"
#include "report/plan_values.h"
#include "report/text.h"
#include "store/report_reader.h"

namespace bindery {

/// Why a resource is as it is; with `attribution` also who made its differences, as the audit logs
/// tell. kNotFound as FindResource.
[[nodiscard]] Expected<Explanation> ExplainReport(const ReportReader& store,
                                                  const std::string& name, WallTime now,
                                                  bool attribution = false);

/// Adds what the next pass would do for the resource, by a plan of its target, or why that is not
/// known.
void AddNextPass(Explanation& explanation, const Expected<PassPlan>& plan);

[[nodiscard]] std::string ExplainText(const Explanation& report, const TextStyle& style);

}  // namespace bindery
