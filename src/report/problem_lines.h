#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/expected.h"
#include "core/json.h"
#include "report/text.h"
#include "store/report_reader.h"

namespace bindery::report {

/// A problem of the last load, as reports list it.
[[nodiscard]] Json ProblemJson(const ManifestProblemRecord& problem);

/// All of the last load, so listed.
[[nodiscard]] Expected<Json> ProblemsOnRecord(const ReportReader& store);

/// Those with these resources; all of them where `names` is empty.
[[nodiscard]] Json ProblemsWith(const Json& problems, const std::vector<std::string>& names);

/// Adds to each problem that has none "excerpt", the line it is about with a caret below it: from
/// its file in the folder `manifests`, or as it is named when that is empty. Null when the file
/// cannot be read, or has no such line any more.
void AddExcerpts(Json& problems, const std::filesystem::path& manifests);

/// "file:line:column: path: message", one line each, and the excerpt below where there is one;
/// warnings say so.
[[nodiscard]] std::string ProblemLines(const Json& problems, const TextStyle& style);

}  // namespace bindery::report
