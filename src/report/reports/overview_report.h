#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/reports/reports.h"
#include "report/values/overview_values.h"
#include "report/values/problem_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The overview of all state.
[[nodiscard]] Expected<Overview> OverviewReport(const store::ReportReader& store, WallTime now);

/// The order of the problems of one code.
enum class ProblemOrder { kManifest, kMessage, kResource };

/// The problems to list; an unset field does not restrict.
struct ProblemQuery {
  std::string text = {};  ///< Part of a file, a path, a code, a message or a resource, in any case.
  std::string code = {};
  std::optional<manifests::ProblemSeverity> severity = {};
  ProblemOrder order = ProblemOrder::kManifest;
  bool descending = false;
};

/// The errors of manifests, as of the last scan; the summary is that of all. Each problem with its
/// excerpt, as long as the file in the folder `manifests` can be read.
[[nodiscard]] Expected<ProblemList> ProblemsReport(const store::ReportReader& store,
                                                   const std::filesystem::path& manifests,
                                                   const ListPage& page,
                                                   const ProblemQuery& query = {});

}  // namespace bindery::report
