#include <utility>

#include "report/overview_report.h"
#include "report/problem_lines.h"

namespace bindery {
Expected<Json> ProblemsReport(const ReportReader& store, const std::filesystem::path& manifests,
                              const ListPage& page) {
  const auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  Json list = Json::array();
  std::size_t errors = 0;
  const std::size_t end = page.offset + page.limit.value_or(problems->size());
  for (std::size_t i = 0; i < problems->size(); ++i) {
    const ManifestProblemRecord& problem = problems->at(i);
    if (problem.severity == "error") ++errors;
    if (i < page.offset || i >= end) continue;
    list.push_back(report::ProblemJson(problem));
  }
  report::AddExcerpts(list, manifests);
  return Json{{"problems", std::move(list)},
              {"total", problems->size()},
              {"offset", page.offset},
              {"limit", page.limit ? Json(*page.limit) : Json()},
              {"summary", {{"errors", errors}, {"warnings", problems->size() - errors}}}};
}

}  // namespace bindery
