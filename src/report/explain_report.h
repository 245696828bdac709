#pragma once

#include <string>

#include "core/clock.h"
#include "core/expected.h"
#include "core/json.h"
#include "report/plan_values.h"
#include "report/text.h"
#include "store/report_reader.h"

namespace bindery {

/// Why a resource is as it is: the resource as ResourcesReport gives it, and besides
/// "manifestGone" (it is on its way out, or stays without one), "desired", "observed"
/// ({"observedAt", "exists", "grants", "undeclared"}), "grants" (each with "state", "reason",
/// "since", "timeBounds", and with `attribution` what differs also as in a drift report), "holds",
/// "problems" and its last "events". kNotFound as FindResource.
[[nodiscard]] Expected<Json> ExplainReport(const ReportReader& store, const std::string& name,
                                           WallTime now, bool attribution = false);

/// Adds "next": what the next pass would do for that resource, by a plan of its target, or why that
/// is not known.
void AddNextPass(Json& report, const Expected<PassPlan>& plan);

[[nodiscard]] std::string ExplainText(const Json& report, const TextStyle& style);

}  // namespace bindery
