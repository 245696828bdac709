#pragma once

#include <filesystem>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/reports/reports.h"
#include "report/values/overview_values.h"
#include "report/values/problem_values.h"
#include "store/ports/report_reader.h"

namespace bindery {

/// The overview of all state.
[[nodiscard]] Expected<Overview> OverviewReport(const ReportReader& store, WallTime now);

/// The errors of manifests, as of the last scan. Each problem with its excerpt, as long as the file
/// in the folder `manifests` can be read.
[[nodiscard]] Expected<ProblemList> ProblemsReport(const ReportReader& store,
                                                   const std::filesystem::path& manifests,
                                                   const ListPage& page);

}  // namespace bindery
