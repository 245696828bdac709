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

Html Below(const Html& content) { return El("span", {{"class", "below"}}, content); }

Html VerdictCell(const report::AccessAnswer& answer) {
  std::string on;
  for (const std::string& attribute : answer.depends_on) {
    on += (on.empty() ? "" : ", ") + attribute;
  }
  Html cell = Badge(ToString(answer.verdict));
  if (!on.empty()) cell.Add(Below("on " + on));
  if (!answer.reason.empty()) cell.Add(Below(answer.reason));
  if (!answer.note.empty()) cell.Add(Below(answer.note));
  return cell;
}

Html PrincipalCell(const report::AccessAnswer& answer) {
  Html cell = PrincipalName(answer.principal);
  if (answer.via) {
    cell.Add(El("span", {{"class", "below"}}, "through ", El("code", {}, Breakable(*answer.via))));
  }
  return cell;
}

Html FromCell(const PageContext& context, const std::optional<report::DeclaringManifest>& source) {
  if (!source) return "undeclared";
  Html cell = ResourceLink(source->resource);
  cell.Add(Below(ManifestLink(context, source->file, source->line)));
  return cell;
}

Html TargetCell(const report::AccessAnswer& answer) {
  Html cell = ShortTargetLink(answer.kind, answer.target);
  if (answer.inherited_from) {
    cell.Add(El("span", {{"class", "below"}}, "inherited from ",
                El("code", {}, Breakable(*answer.inherited_from))));
  }
  return cell;
}

Html ReadCell(const PageContext& context, const report::AccessAnswer& answer) {
  Html cell = Ago(context, answer.observed_at);
  if (answer.evidence) cell.Add(Below("by a " + *answer.evidence));
  return cell;
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
  Table table("A grant each",
              {Sorted(context, "Principal", by("principal")), Sorted(context, "Role", by("role")),
               Sorted(context, "Verdict", by("verdict")), Sorted(context, "Target", by("target")),
               Sorted(context, "Declared by", by("source")), Sorted(context, "Time", by("time")),
               Sorted(context, "Read", by("read"))});
  for (const report::AccessAnswer& answer : report.answers) {
    table.AddRow({PrincipalCell(answer), RoleCell(answer.grant.grant), VerdictCell(answer),
                  TargetCell(answer), FromCell(context, answer.source),
                  BoundsText(answer.time_bounds), ReadCell(context, answer)});
  }
  Html content;
  for (const std::string& note : report.notes) content.Add(Nothing(note));
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
        El("p", {{"class", "notice wanting"}, {"role", "alert"}}, found.error().message));
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
