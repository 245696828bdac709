#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "report/text/text.h"
#include "report/values/problem_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// A problem of the last load.
[[nodiscard]] ProblemLine LineOfProblem(const store::ManifestProblemRecord& problem);

/// All of the last load; with `names` those with the resources alone.
[[nodiscard]] Expected<std::vector<ProblemLine>> ProblemsOnRecord(
    const store::ReportReader& store, const std::vector<std::string>& names = {});

/// Those with the resources; all where `names` is empty.
[[nodiscard]] std::vector<ProblemLine> ProblemsWith(const std::vector<ProblemLine>& problems,
                                                    const std::vector<std::string>& names);

/// Adds an excerpt to each problem without one: from its file in the folder `manifests`, or by its
/// name when the folder is empty. The excerpt is empty when the file cannot be read, or has no such
/// line any more.
void AddExcerpts(std::vector<ProblemLine>& problems, const std::filesystem::path& manifests);

/// "file:line:column: path: message", one line each, and the excerpt below if any; warnings say
/// so.
[[nodiscard]] std::string ProblemLines(const std::vector<ProblemLine>& problems,
                                       const TextStyle& style);

/// "note: 1408 manifests grant nothing any more, …", one line with the first name; empty if none
/// exists.
[[nodiscard]] std::string ExpiredLine(const std::vector<ExpiredManifest>& expired,
                                      const TextStyle& style);

}  // namespace bindery::report
