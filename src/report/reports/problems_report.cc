#include <utility>

#include "report/reports/overview_report.h"
#include "report/reports/problem_lines.h"

namespace bindery {

Expected<ProblemList> ProblemsReport(const ReportReader& store,
                                     const std::filesystem::path& manifests, const ListPage& page) {
  auto problems = report::ProblemsOnRecord(store);
  if (!problems) return Fail(problems.error());
  ProblemList list;
  list.summary = CountProblems(*problems);
  static_cast<ListSlice&>(list) = KeepPage(*problems, page);
  list.problems = std::move(*problems);
  report::AddExcerpts(list.problems, manifests);
  return list;
}

}  // namespace bindery
