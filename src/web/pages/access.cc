#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html Field(const PageContext& context, Literal name, std::string_view label,
           std::string_view placeholder) {
  const std::string key(name.view());
  return El("label", {}, label,
            Void("input", {{"name", key},
                           {"value", context.Asked(key)},
                           {"placeholder", std::string(placeholder)},
                           {"autocomplete", "off"},
                           {"spellcheck", "false"}}));
}

Html Question(const PageContext& context) {
  return El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}},
            Field(context, "principal", "Principal", "user:ana@example.com"),
            Field(context, "role", "Role or relation", "roles/viewer"),
            Field(context, "target", "Target or resource", "payments"),
            Field(context, "at", "At (empty: now)", "2026-11-01, 24h"),
            El("button", {{"type", "submit"}}, "Ask"),
            El("a", {{"href", context.path}, {"class", "reset"}}, "Clear"));
}

Html VerdictCell(const Json& answer) {
  const std::string verdict = TextOf(answer, "verdict");
  std::string on;
  for (const Json& attribute : ListOf(answer, "dependsOn")) {
    on += (on.empty() ? "" : ", ") + attribute.get<std::string>();
  }
  Html cell = Badge(verdict);
  if (!on.empty()) cell.Add(El("span", {{"class", "below"}}, "on ", on));
  const std::string reason = TextOf(answer, "reason");
  if (!reason.empty()) cell.Add(El("span", {{"class", "below"}}, reason));
  const std::string note = TextOf(answer, "note");
  if (!note.empty()) cell.Add(El("span", {{"class", "below"}}, note));
  return cell;
}

Html PrincipalCell(const Json& answer) {
  Html cell = El("code", {}, Breakable(TextOf(answer, "principal")));
  const std::string via = TextOf(answer, "via");
  if (!via.empty())
    cell.Add(El("span", {{"class", "below"}}, "through ", El("code", {}, Breakable(via))));
  return cell;
}

Html FromCell(const Json& answer) {
  const Json& source = ObjectOf(answer, "source");
  if (source.empty()) return "undeclared";
  Html cell = ResourceLink(TextOf(source, "resource"));
  cell.Add(El("span", {{"class", "below"}}, PlaceOf(source)));
  return cell;
}

Html Answers(const PageContext& context, const Json& report) {
  Table table(
      "A grant each, by target",
      {{"Principal"}, {"Role"}, {"Verdict"}, {"Target"}, {"Declared by"}, {"Time"}, {"Read"}});
  for (const Json& answer : ListOf(report, "answers")) {
    table.AddRow({PrincipalCell(answer), RoleCell(ObjectOf(answer, "grant")), VerdictCell(answer),
                  TargetLink(TextOf(answer, "kind"), TextOf(answer, "target")), FromCell(answer),
                  BoundsText(answer), Ago(context, answer, "observedAt")});
  }
  Html content;
  for (const Json& note : ListOf(report, "notes")) {
    if (note.is_string()) content.Add(Nothing(note.get<std::string>()));
  }
  if (!table.empty()) content.Add(table.Finished());
  content.Add(Pager(context, report, ListOf(report, "answers").size()));
  return content;
}

}  // namespace

std::string AccessPage(const PageContext& context, const Json& report) {
  Frame frame;
  frame.title = "Access";
  frame.section = "/access";
  frame.before = Question(context);
  if (report.is_null()) {
    frame.live = false;
    frame.summary =
        "Who has access, by the policies that were last read or that are on record. No cloud is "
        "asked.";
    return Document(context, frame,
                    Nothing("Ask for a principal, a role or a target: what is left empty is any."));
  }
  const Json& error = ObjectOf(report, "error");
  if (!error.empty()) {
    frame.live = false;
    frame.summary = "The question cannot be answered.";
    return Document(
        context, frame,
        El("p", {{"class", "notice wanting"}, {"role", "alert"}}, TextOf(error, "message")));
  }
  const Json& summary = ObjectOf(report, "summary");
  frame.summary = Counted(CountOf(summary, "answers"), "grant", "grants") + ": " +
                  Figure(CountOf(summary, "granted")) + " granted, " +
                  Figure(CountOf(summary, "notGranted")) + " not granted, " +
                  Figure(CountOf(summary, "depends")) + " depend, " +
                  Figure(CountOf(summary, "unknown")) + " unknown.";
  return Document(context, frame, Answers(context, report));
}

}  // namespace bindery::web
