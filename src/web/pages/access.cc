#include <cstddef>
#include <optional>
#include <string>

#include "web/filter.h"
#include "web/grants.h"
#include "web/manifest_link.h"
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
            Field(context, "permission", "Or permission", "pubsub.topics.get"),
            Field(context, "target", "Target or resource", "payments"),
            Field(context, "at", "At (empty: now)", "2026-11-01, 24h"),
            El("button", {{"type", "submit"}}, "Ask"),
            El("a", {{"href", context.path}, {"class", "reset"}}, "Clear"));
}

Html Hint(std::string_view text) { return El("span", {{"class", "hint"}}, text); }

Html PrincipalCell(const report::AccessAnswer& answer) {
  Html cell = PrincipalName(answer.principal);
  // "group" of "group:sre@example.com"; the details have the whole.
  if (answer.via)
    cell.Add(" ").Add(Hint("through " + answer.via->substr(0, answer.via->find(':'))));
  return cell;
}

Html TargetCell(const report::AccessAnswer& answer) {
  Html cell = ShortTargetLink(answer.kind, answer.target);
  if (answer.inherited_from) cell.Add(" ").Add(Hint("inherited"));
  return El("span", {{"class", "named"}}, cell);
}

Html Told(std::string_view words, const Html& content) {
  return content.empty() ? Html() : El("p", {}, words, content);
}

/// What a row tells besides its columns; nothing where the columns tell all.
Html AnswerDetails(const PageContext& context, const report::AccessAnswer& answer,
                   std::size_t number) {
  std::string on;
  for (const std::string& attribute : answer.depends_on) {
    on += (on.empty() ? "" : ", ") + attribute;
  }
  const auto name = [](const std::optional<std::string>& text) {
    return text ? El("code", {}, Breakable(*text)) : Html();
  };
  const Grant& grant = answer.grant.grant;
  Html detail = Told("Depends on: ", on);
  detail.Add(Told("", answer.reason)).Add(Told("", answer.note));
  detail.Add(Told("Member of: ", name(answer.via)));
  detail.Add(Told("Inherited from: ", name(answer.inherited_from)));
  if (grant.condition) detail.Add(El("p", {}, RoleCell(grant)));
  if (answer.source) {
    detail.Add(
        Told("Declared in: ", ManifestLink(context, answer.source->file, answer.source->line)));
  }
  if (answer.evidence) detail.Add(Told("Read by a ", *answer.evidence));
  if (detail.empty()) return {};
  return Disclosure("a" + std::to_string(number), detail, /*open=*/false);
}

Html Limits(const std::vector<std::string>& not_considered) {
  std::string text;
  for (const std::string& limit : not_considered) {
    text += (text.empty() ? "Not considered: " : "; ") + limit;
  }
  return text.empty() ? Html() : El("p", {}, text + ".");
}

Html Answers(const PageContext& context, const report::AccessListing& report) {
  const auto by = [](const char* name) { return ListOrder{name, ""}; };
  Table table("A grant each", {Sorted(context, "Principal", by("principal")),
                               Sorted(context, "Role", by("role")),
                               Sorted(context, "Verdict", by("verdict")),
                               Sorted(context, "Target", by("target")),
                               Sorted(context, "Declared by", by("source")),
                               Sorted(context, "Time", by("time")),
                               Sorted(context, "Read", by("read")),
                               {"Details"}});
  std::size_t number = 0;
  for (const report::AccessAnswer& answer : report.answers) {
    table.AddRow({PrincipalCell(answer), RoleLine(answer.grant.grant),
                  Badge(ToString(answer.verdict)), TargetCell(answer),
                  answer.source ? ResourceLink(answer.source->resource) : Html("undeclared"),
                  BoundsCell(answer.time_bounds), Ago(context, answer.observed_at),
                  AnswerDetails(context, answer, ++number)});
  }
  Html content;
  for (const std::string& note : report.notes) {
    // Of an empty list the note says why.
    content.Add(table.empty() ? Nothing(Capital(note))
                              : El("p", {{"class", "hint"}}, Capital(note)));
  }
  if (!table.empty()) content.Add(table.Finished());
  content.Add(Pager(context, report, report.answers.size()));
  content.Add(Limits(report.not_considered));
  return content;
}

}  // namespace

std::string AccessPage(const PageContext& context,
                       const std::optional<Expected<report::AccessListing>>& report) {
  Frame frame;
  frame.title = "Access";
  frame.section = "/access";
  frame.before = Question(context);
  if (!report) {
    frame.live = false;
    frame.summary =
        "Who has access, by the policies that were last read or that are on record. No cloud is "
        "asked.";
    return Document(context, frame,
                    Nothing("Ask for a principal, a role or a target: what is left empty is any."));
  }
  const Expected<report::AccessListing>& found = *report;
  if (!found) {
    frame.live = false;
    frame.summary = "The question cannot be answered.";
    return Document(
        context, frame,
        El("p", {{"class", "notice wanting"}, {"role", "alert"}}, Capital(found.error().message)));
  }
  frame.list = true;
  frame.has_csv = true;
  const report::AccessCounts& counts = found->summary;
  frame.summary = Counted(static_cast<std::int64_t>(counts.answers), "grant", "grants") + ": " +
                  Figure(counts.granted) + " granted, " + Figure(counts.not_granted) +
                  " not granted, " + Figure(counts.depends) + " depend, " + Figure(counts.unknown) +
                  " unknown.";
  return Document(context, frame, Answers(context, *found));
}

}  // namespace bindery::web
