#include "report/validate_report.h"

#include <utility>

namespace bindery {

Json ValidateReport(std::size_t files, std::size_t manifests,
                    const std::vector<Problem>& problems) {
  bool valid = true;
  Json list = Json::array();
  for (const Problem& problem : problems) {
    const bool error = problem.severity == ProblemSeverity::kError;
    valid = valid && !error;
    list.push_back({{"file", problem.file},
                    {"line", problem.line},
                    {"column", problem.column},
                    {"path", problem.path},
                    {"severity", error ? "error" : "warning"},
                    {"code", problem.code},
                    {"message", problem.message},
                    {"resource", problem.resource}});
    if (!problem.excerpt.empty()) list.back()["excerpt"] = problem.excerpt;
  }
  return {
      {"valid", valid}, {"files", files}, {"manifests", manifests}, {"problems", std::move(list)}};
}

}  // namespace bindery
