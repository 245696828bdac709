#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

Html Problem(const Json& problem) {
  std::string place = PlaceOf(problem);
  if (CountOf(problem, "column") > 0) place += ":" + TextOf(problem, "column");
  const std::string path = TextOf(problem, "path");
  const std::string excerpt = TextOf(problem, "excerpt");
  const std::string resource = TextOf(problem, "resource");
  Html item = El("p", {}, Badge(TextOf(problem, "severity")), " ", El("code", {}, place), " ",
                 path.empty() ? Html() : El("code", {{"class", "path"}}, path), " ",
                 El("span", {{"class", "tag"}}, TextOf(problem, "code")));
  item.Add(El("p", {{"class", "problem"}}, TextOf(problem, "message")));
  if (!excerpt.empty()) {
    item.Add(El("pre",
                {{"tabindex", "0"}, {"role", "region"}, {"aria-label", "The place in " + place}},
                El("code", {}, excerpt)));
  }
  if (!resource.empty()) item.Add(El("p", {{"class", "below"}}, "Of ", ResourceLink(resource)));
  return El("li", {}, item);
}

}  // namespace

std::string ProblemsPage(const PageContext& context, const Json& report) {
  const Json& problems = ListOf(report, "problems");
  const Json& summary = ObjectOf(report, "summary");
  Frame frame;
  frame.title = "Manifest problems";
  frame.section = "/problems";
  frame.summary = Counted(CountOf(summary, "errors"), "error", "errors") + " and " +
                  Counted(CountOf(summary, "warnings"), "warning", "warnings") +
                  " as of the last scan.";
  if (problems.empty()) {
    return Document(context, frame, Nothing("Every manifest was understood."));
  }
  Html items;
  for (const Json& problem : problems) items.Add(Problem(problem));
  Html content = Paragraph("A manifest with an error keeps its last good version in force.");
  content.Add(El("ul", {{"class", "problems"}}, items));
  content.Add(Pager(context, report, problems.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
