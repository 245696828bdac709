#include "report/reports/problem_lines.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "report/text/text_style.h"

namespace bindery::report {
namespace {

std::string PlaceOfProblem(const ProblemLine& problem) {
  std::string place = Printable(problem.file);
  if (problem.line > 0) place += ":" + std::to_string(problem.line);
  if (problem.line > 0 && problem.column > 0) place += ":" + std::to_string(problem.column);
  return place;
}

}  // namespace

ProblemLine LineOfProblem(const store::ManifestProblemRecord& problem) {
  ProblemLine line;
  line.file = problem.file;
  line.line = problem.line;
  line.column = problem.column;
  line.path = problem.path;
  if (problem.severity == ToString(manifests::ProblemSeverity::kWarning)) {
    line.severity = manifests::ProblemSeverity::kWarning;
  }
  line.code = problem.code;
  line.message = problem.message;
  line.resource = problem.resource;
  return line;
}

Expected<std::vector<ProblemLine>> ProblemsOnRecord(const store::ReportReader& store,
                                                    const std::vector<std::string>& names) {
  std::vector<ProblemLine> list;
  const auto take = [&](const auto& problems) -> Expected<void> {
    if (!problems) return Fail(problems.error());
    std::ranges::transform(*problems, std::back_inserter(list), LineOfProblem);
    return {};
  };
  auto taken = names.empty() ? take(store.Problems()) : Expected<void>();
  for (const std::string& name : std::set(names.begin(), names.end())) {
    if (taken && !name.empty()) taken = take(store.ProblemsAbout(name, /*file=*/""));
  }
  if (!taken) return Fail(taken.error());
  return list;
}

std::vector<ProblemLine> ProblemsWith(const std::vector<ProblemLine>& problems,
                                      const std::vector<std::string>& names) {
  std::vector<ProblemLine> chosen;
  for (const ProblemLine& problem : problems) {
    const bool asked = names.empty() || std::ranges::find(names, problem.resource) != names.end();
    if (asked) chosen.push_back(problem);
  }
  return chosen;
}

std::string ProblemLines(const std::vector<ProblemLine>& problems, const TextStyle& style) {
  std::string text;
  for (const ProblemLine& problem : problems) {
    const bool warning = problem.severity == manifests::ProblemSeverity::kWarning;
    std::string line = PlaceOfProblem(problem);
    if (!line.empty()) line += ": ";
    if (warning) line += "warning: ";
    if (!problem.path.empty()) line += Printable(problem.path) + ": ";
    line += Printable(problem.message);
    text += Paint(line, warning ? Colour::kYellow : Colour::kRed, style) + "\n";
    if (problem.excerpt && !problem.excerpt->text.empty()) text += problem.excerpt->text + "\n";
  }
  return text;
}

std::string ExpiredLine(const std::vector<ExpiredManifest>& expired, const TextStyle& style) {
  constexpr std::size_t kNamed = 3;
  if (expired.empty()) return "";
  std::vector<std::string> names;
  for (const ExpiredManifest& one : expired) {
    names.push_back(Printable(one.resource) + " (" + Printable(one.file) + ":" +
                    std::to_string(one.line) + ")");
  }
  const bool single = expired.size() == 1;
  const std::string text = "note: " + Count(static_cast<std::int64_t>(expired.size()), "manifest") +
                           (single ? " grants" : " grant") + " nothing any more, as the time of " +
                           (single ? "its" : "their") +
                           " condition has ended: " + TakeFirst(names, kNamed);
  return Paint(text, Colour::kYellow, style) + "\n";
}

}  // namespace bindery::report
