#include "report/checks/validate_report.h"

#include <utility>

namespace bindery::report {

Validation ValidateReport(std::size_t files, std::size_t manifests,
                          const std::vector<manifests::Problem>& problems) {
  Validation found;
  found.files = files;
  found.manifests = manifests;
  for (const manifests::Problem& problem : problems) {
    found.valid = found.valid && problem.severity != manifests::ProblemSeverity::kError;
    ProblemLine line{problem.file,     problem.line, problem.column,  problem.path,
                     problem.severity, problem.code, problem.message, problem.resource,
                     std::nullopt,     std::nullopt};
    if (!problem.excerpt.empty()) line.excerpt = Excerpt{problem.excerpt};
    found.problems.push_back(std::move(line));
  }
  found.summary = CountProblems(found.problems);
  return found;
}

}  // namespace bindery::report
