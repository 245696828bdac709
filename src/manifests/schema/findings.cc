#include "manifests/schema/findings.h"

#include <algorithm>
#include <utility>

namespace bindery::manifests {

void Findings::Add(yaml::Position at, std::string path, CheckFailure failure) {
  Problem problem;
  problem.file = file_;
  problem.line = at.line > 0 ? at.line : document_.line;
  problem.column = at.line > 0 ? at.column : document_.column;
  problem.path = std::move(path);
  problem.severity = failure.warning ? ProblemSeverity::kWarning : ProblemSeverity::kError;
  problem.code = std::move(failure.code);
  problem.message = std::move(failure.message);
  problem.excerpt = std::move(failure.excerpt);
  if (!failure.warning) ++errors_;
  problems_.push_back(std::move(problem));
}

bool Findings::Concern(const std::string& path) const {
  return std::any_of(problems_.begin(), problems_.end(),
                     [&](const Problem& problem) { return problem.path == path; });
}

std::vector<Problem> Findings::Take(const std::string& resource) {
  for (Problem& problem : problems_) problem.resource = resource;
  return std::move(problems_);
}

}  // namespace bindery::manifests
