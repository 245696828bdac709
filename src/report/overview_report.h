#pragma once

#include <filesystem>

#include "core/clock.h"
#include "core/expected.h"
#include "core/json.h"
#include "report/reports.h"
#include "store/report_reader.h"

namespace bindery {

/// The overview of all state: {"generatedAt", "resources": {"total", "ready", "reconciling",
/// "stalled"}, "drift" (the summary of DriftReport), "guard": {"holds", "removals"}, "problems":
/// {"errors", "warnings"}, "generation": {"id", "time", "files", "manifests"} or null, "attention":
/// the first resources that are not ready, worst first, "events": the newest, newest first}.
[[nodiscard]] Expected<Json> OverviewReport(const ReportReader& store, WallTime now);

/// {"problems": [problem…], "total", "offset", "limit", "summary": {"errors", "warnings"}}: what is
/// wrong with manifests, as of the last scan. Each of them with "excerpt", the line it is about
/// with a caret below it, as long as the file in the folder `manifests` can be read; else null.
[[nodiscard]] Expected<Json> ProblemsReport(const ReportReader& store,
                                            const std::filesystem::path& manifests,
                                            const ListPage& page);

}  // namespace bindery
