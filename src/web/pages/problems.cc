#include <cstddef>
#include <string>
#include <vector>

#include "web/filter.h"
#include "web/manifest_link.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Above this number the problems are a line each, with the excerpt on request.
constexpr std::size_t kMostOpen = 10;

Html PlaceCell(const PageContext& context, const report::ProblemLine& problem) {
  const std::string column = problem.column > 0 ? ":" + std::to_string(problem.column) : "";
  const Html badge = Badge(ToString(problem.severity));
  return El("span", {{"class", "named"}}, badge, " ",
            ManifestName(context, report::SourceLine{problem.file, problem.line}, column));
}

/// The lines of the manifest, with a caret below the place.
Html Excerpt(const report::ProblemLine& problem) {
  const std::string place = FindPlace(problem.file, problem.line);
  return El("pre", {{"tabindex", "0"}, {"role", "region"}, {"aria-label", "The place in " + place}},
            El("code", {}, problem.excerpt->text));
}

/// The message in a line; whole, and with the lines of the manifest below, on request.
Html MessageCell(const report::ProblemLine& problem, std::size_t number, bool open) {
  const std::string id = "m" + std::to_string(number);
  Html message;
  if (!problem.path.empty()) {
    message.Add(El("code", {{"class", "path"}}, Breakable(problem.path))).Add(" ");
  }
  message.Add(Prose(problem.message));
  if (!problem.excerpt || problem.excerpt->text.empty()) {
    return Sentence(id, message, problem.path.size() + problem.message.size(), open);
  }
  return El("details", {{"class", "sentence"}, {"id", id}, {"open", "", open}},
            El("summary", {}, El("span", {}, message)), Excerpt(problem));
}

/// "87 errors UnknownMemberType"
std::string MakeTitle(const report::ProblemGroup& group) {
  const auto count = static_cast<std::int64_t>(group.count);
  const bool errors = group.severity == manifests::ProblemSeverity::kError;
  return Counted(count, errors ? "error" : "warning", errors ? "errors" : "warnings") + " " +
         group.code;
}

/// The problems of the page that belong to the group.
Html Members(const PageContext& context, const report::ProblemList& report,
             const report::ProblemGroup& group, bool first) {
  // The titles of the first group sort all.
  const auto title = [&](const char* words, const char* name) {
    return first ? Sorted(context, words, {name, "manifest"}) : Column{words};
  };
  Table table(MakeTitle(group), {title("Manifest", "manifest"), title("Message", "message"),
                                 title("Resource", "resource")});
  const bool open = report.problems.size() <= kMostOpen;
  std::size_t number = 0;
  for (const report::ProblemLine& problem : report.problems) {
    ++number;
    if (problem.severity != group.severity || problem.code != group.code) continue;
    table.AddRow({PlaceCell(context, problem), MessageCell(problem, number, open),
                  ResourceLink(problem.resource)});
  }
  return table.empty() ? Html() : El("div", {{"class", "problems"}}, table.Finished());
}

std::vector<Choice> Codes(const PageContext& context,
                          const std::vector<report::ProblemGroup>& groups) {
  std::vector<Choice> choices;
  for (const report::ProblemGroup& group : groups) choices.emplace_back(group.code, group.code);
  const std::string chosen = context.Asked("code");
  if (groups.empty() && !chosen.empty()) choices.emplace_back(chosen, chosen);
  return choices;
}

}  // namespace

std::string ProblemsPage(const PageContext& context, const report::ProblemList& report) {
  Frame frame;
  frame.title = "Manifest problems";
  frame.section = "/problems";
  frame.list = true;
  frame.has_csv = true;
  const auto errors = static_cast<std::int64_t>(report.summary.errors);
  const auto warnings = static_cast<std::int64_t>(report.summary.warnings);
  frame.summary =
      Counted(errors, "error", "errors") + " and " + Counted(warnings, "warning", "warnings") +
      " as of the last scan." +
      (errors > 0 ? " A manifest with an error keeps its last good version in force." : "");
  frame.searches = true;
  frame.before =
      FilterForm(context)
          .Search("file, message, resource")
          .Select("severity", "Severity", MakeChoices(report::kAllOf<manifests::ProblemSeverity>))
          .Select("code", "Code", Codes(context, report.groups))
          .Finished();
  if (report.problems.empty()) {
    return Document(context, frame,
                    Nothing(errors + warnings == 0 ? "Every manifest that was read was understood."
                                                   : "No problem fits the filter."));
  }
  Html content;
  for (const report::ProblemGroup& group : report.groups) {
    const Html members = Members(context, report, group, /*first=*/content.empty());
    if (!members.empty()) content.Add(MakeSection(MakeTitle(group), members));
  }
  content.Add(Pager(context, report, report.problems.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
