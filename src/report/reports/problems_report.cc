#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/text/text_search.h"
#include "report/reports/overview_report.h"
#include "report/reports/problem_lines.h"

namespace bindery::report {
namespace {

bool ProblemPasses(const ProblemLine& problem, const ProblemQuery& query) {
  if (query.severity && problem.severity != *query.severity) return false;
  if (!query.code.empty() && problem.code != query.code) return false;
  const std::array<const std::string*, 5> places = {&problem.file, &problem.path, &problem.code,
                                                    &problem.message, &problem.resource};
  return std::ranges::any_of(
      places, [&](const std::string* place) { return ContainsInAnyCase(*place, query.text); });
}

void SortProblems(const ProblemQuery& query, std::vector<ProblemLine>& problems) {
  const auto key = [&](const ProblemLine& problem) {
    const std::string_view first = query.order == ProblemOrder::kMessage    ? problem.message
                                   : query.order == ProblemOrder::kResource ? problem.resource
                                                                            : problem.file;
    return std::tuple(first, std::string_view(problem.file), problem.line, problem.column);
  };
  std::ranges::stable_sort(problems, [&](const ProblemLine& a, const ProblemLine& b) {
    return query.descending ? key(b) < key(a) : key(a) < key(b);
  });
}

/// Puts the problems of each code together, and gives the codes in order.
std::vector<ProblemGroup> Group(std::vector<ProblemLine>& problems) {
  std::map<std::pair<manifests::ProblemSeverity, std::string>, std::size_t> counts;
  for (const ProblemLine& problem : problems) ++counts[{problem.severity, problem.code}];
  std::vector<ProblemGroup> groups;
  for (const auto& [key, count] : counts) groups.push_back({key.first, key.second, count});
  const auto is_warning = [](manifests::ProblemSeverity severity) {
    return severity == manifests::ProblemSeverity::kWarning;
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
    return std::pair(is_warning(a.severity), b.count) < std::pair(is_warning(b.severity), a.count);
  });
  std::map<std::pair<manifests::ProblemSeverity, std::string>, std::size_t> places;
  for (const ProblemGroup& group : groups) {
    places.try_emplace({group.severity, group.code}, places.size());
  }
  std::stable_sort(problems.begin(), problems.end(), [&](const auto& a, const auto& b) {
    return places.at({a.severity, a.code}) < places.at({b.severity, b.code});
  });
  return groups;
}

}  // namespace

Expected<ProblemList> ProblemsReport(const store::ReportReader& store,
                                     const std::filesystem::path& manifests, const ListPage& page,
                                     const ProblemQuery& query) {
  auto problems = ProblemsOnRecord(store);
  if (!problems) return Fail(problems.error());
  ProblemList list;
  list.summary = CountProblems(*problems);
  std::erase_if(*problems, [&](const auto& problem) { return !ProblemPasses(problem, query); });
  SortProblems(query, *problems);
  list.groups = Group(*problems);
  static_cast<ListSlice&>(list) = KeepPage(*problems, page);
  list.problems = std::move(*problems);
  AddExcerpts(list.problems, manifests);
  return list;
}

}  // namespace bindery::report
