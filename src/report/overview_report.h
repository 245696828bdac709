#pragma once

#include <filesystem>

#include "core/clock.h"
#include "core/expected.h"
#include "core/json.h"
#include "report/problem_values.h"
#include "report/reports.h"
#include "store/report_reader.h"

namespace bindery {

/// The overview of all state: {"generatedAt", "resources": {"total", "ready", "reconciling",
/// "stalled"}, "drift" (the summary of DriftReport), "guard": {"holds", "removals"}, "problems":
/// {"errors", "warnings"}, "generation": {"id", "time", "files", "manifests"} or null, "attention":
/// the first resources that are not ready, worst first, "events": the newest, newest first}.
[[nodiscard]] Expected<Json> OverviewReport(const ReportReader& store, WallTime now);

/// What is wrong with manifests, as of the last scan. Each problem with its excerpt, as long as the
/// file in the folder `manifests` can be read.
[[nodiscard]] Expected<ProblemList> ProblemsReport(const ReportReader& store,
                                                   const std::filesystem::path& manifests,
                                                   const ListPage& page);

}  // namespace bindery
