#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

Html Problem(const report::ProblemLine& problem) {
  std::string place = PlaceOf(problem.file, problem.line);
  if (problem.column > 0) place += ":" + std::to_string(problem.column);
  Html item = El("p", {}, Badge(ToString(problem.severity)), " ", El("code", {}, place), " ",
                 problem.path.empty() ? Html() : El("code", {{"class", "path"}}, problem.path), " ",
                 El("span", {{"class", "tag"}}, problem.code));
  item.Add(El("p", {{"class", "problem"}}, problem.message));
  if (problem.excerpt && !problem.excerpt->text.empty()) {
    item.Add(El("pre",
                {{"tabindex", "0"}, {"role", "region"}, {"aria-label", "The place in " + place}},
                El("code", {}, problem.excerpt->text)));
  }
  if (!problem.resource.empty()) {
    item.Add(El("p", {{"class", "below"}}, "Of ", ResourceLink(problem.resource)));
  }
  return El("li", {}, item);
}

}  // namespace

std::string ProblemsPage(const PageContext& context, const ProblemList& report) {
  Frame frame;
  frame.title = "Manifest problems";
  frame.section = "/problems";
  const auto errors = static_cast<std::int64_t>(report.summary.errors);
  const auto warnings = static_cast<std::int64_t>(report.summary.warnings);
  frame.summary = Counted(errors, "error", "errors") + " and " +
                  Counted(warnings, "warning", "warnings") + " as of the last scan.";
  if (report.problems.empty()) {
    return Document(context, frame, Nothing("Every manifest was understood."));
  }
  Html items;
  for (const report::ProblemLine& problem : report.problems) items.Add(Problem(problem));
  Html content = Paragraph("A manifest with an error keeps its last good version in force.");
  content.Add(El("ul", {{"class", "problems"}}, items));
  content.Add(Pager(context, report, report.problems.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
