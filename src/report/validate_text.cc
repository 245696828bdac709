#include <algorithm>
#include <string>

#include "report/json_fields.h"
#include "report/problem_lines.h"
#include "report/text.h"
#include "report/text_style.h"

namespace bindery {
namespace report {
namespace {

std::string PlaceOf(const Json& problem) {
  std::string place = Shown(problem, "file");
  const std::int64_t line = IntMember(problem, "line");
  const std::int64_t column = IntMember(problem, "column");
  if (line > 0) place += ":" + std::to_string(line);
  if (line > 0 && column > 0) place += ":" + std::to_string(column);
  return place;
}

}  // namespace

Json ProblemJson(const ManifestProblemRecord& problem) {
  return {{"file", problem.file},       {"line", problem.line},         {"column", problem.column},
          {"path", problem.path},       {"severity", problem.severity}, {"code", problem.code},
          {"message", problem.message}, {"resource", problem.resource}};
}

Expected<Json> ProblemsOnRecord(const ReportReader& store) {
  const auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  Json list = Json::array();
  for (const ManifestProblemRecord& problem : *problems) list.push_back(ProblemJson(problem));
  return list;
}

Json ProblemsWith(const Json& problems, const std::vector<std::string>& names) {
  Json chosen = Json::array();
  for (const Json& problem : problems) {
    const std::string resource = StringMember(problem, "resource");
    const bool asked =
        names.empty() || std::find(names.begin(), names.end(), resource) != names.end();
    if (asked) chosen.push_back(problem);
  }
  return chosen;
}

std::string ProblemLines(const Json& problems, const TextStyle& style) {
  std::string text;
  for (const Json& problem : problems) {
    const bool warning = StringMember(problem, "severity") == "warning";
    std::string line = PlaceOf(problem);
    if (!line.empty()) line += ": ";
    if (warning) line += "warning: ";
    if (const std::string path = Shown(problem, "path"); !path.empty()) line += path + ": ";
    line += Shown(problem, "message");
    text += Paint(line, warning ? Colour::kYellow : Colour::kRed, style) + "\n";
    const std::string excerpt = StringMember(problem, "excerpt");
    if (!excerpt.empty()) text += excerpt + "\n";
  }
  return text;
}

}  // namespace report

std::string ValidateText(const Json& report, const TextStyle& style) {
  const Json& problems = report::ArrayMember(report, "problems");
  std::int64_t errors = 0;
  std::int64_t warnings = 0;
  for (const Json& problem : problems) {
    ++(StringMember(problem, "severity") == "warning" ? warnings : errors);
  }
  std::string result = "valid";
  if (errors > 0) result = report::Count(errors, "error");
  if (warnings > 0) result += ", " + report::Count(warnings, "warning");
  return report::ProblemLines(problems, style) +
         report::Count(report::IntMember(report, "files"), "file") + ", " +
         report::Count(report::IntMember(report, "manifests"), "manifest") + ": " +
         report::Paint(result, errors > 0 ? report::Colour::kRed : report::Colour::kGreen, style) +
         "\n";
}

}  // namespace bindery
