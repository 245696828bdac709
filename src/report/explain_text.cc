#include <string>

#include "report/access_words.h"
#include "report/attributions.h"
#include "report/explain_report.h"
#include "report/json_fields.h"
#include "report/problem_lines.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::BoolMember;
using report::Cell;
using report::Colour;
using report::Cut;
using report::ObjectMember;
using report::Shown;

std::string TitledLine(const std::string& title, const std::string& text) {
  constexpr std::size_t kTitles = 10;
  return "  " + title + std::string(kTitles - title.size(), ' ') + text + "\n";
}

std::string StatusLine(const Json& status, const TextStyle& style) {
  const std::string state = Shown(status, "state");
  const Colour colour = state == "Ready"       ? Colour::kGreen
                        : state == "Stalled"   ? Colour::kRed
                        : state == "Suspended" ? Colour::kDim
                                               : Colour::kYellow;
  std::string text = report::Paint(state, colour, style);
  const std::string reason = Shown(status, "reason");
  if (!reason.empty() && reason != state) text += ", " + reason;
  if (const std::string message = Shown(status, "message"); !message.empty()) {
    text += ": " + message;
  }
  return text;
}

std::string ObservedLine(const Json& report, const TextStyle& style) {
  const Json& observed = ObjectMember(report, "observed");
  if (observed.empty()) {
    const bool looked_up =
        BoolMember(report, "lookup") && !StringMember(report, "observedAt").empty();
    return looked_up ? report::AgeOf(report, "observedAt", style) + " ago" : "not yet";
  }
  const auto own = static_cast<std::int64_t>(report::ArrayMember(observed, "grants").size());
  const std::int64_t others = report::IntMember(observed, "otherGrants");
  std::string text = report::AgeOf(observed, "observedAt", style) +
                     " ago: " + (BoolMember(observed, "exists") ? "" : "no policy, ") +
                     report::Count(own, "grant");
  if (others > 0) text += " here, " + std::to_string(others) + " of other roles";
  return text;
}

std::string NotesOfManifest(const Json& report) {
  std::string notes;
  if (BoolMember(report, "manifestGone")) notes += ", its manifest is gone";
  if (StringMember(report, "mode") == "observe") notes += ", mode observe";
  if (BoolMember(report, "suspended")) notes += ", suspended";
  if (!BoolMember(report, "accepted")) notes += ", its manifest is not in force";
  return notes.empty() ? notes : notes.substr(2);
}

std::string ExplainHead(const Json& report, const TextStyle& style) {
  const Json& inputs = ObjectMember(report, "inputs");
  const Json& source = ObjectMember(report, "source");
  std::string text =
      report::Paint(Shown(report, "name"), Colour::kBold, style) + ": " + Shown(report, "kind");
  if (!source.empty()) {
    text += ", " + Shown(source, "file") + ":" + std::to_string(report::IntMember(source, "line"));
  }
  text += "\n";
  text += TitledLine("target", Shown(report, "target"));
  if (const std::string role = Shown(inputs, "role"); !role.empty())
    text += TitledLine("role", role);
  text += TitledLine("status", StatusLine(ObjectMember(report, "status"), style));
  if (const std::string notes = NotesOfManifest(report); !notes.empty())
    text += TitledLine("notes", notes);
  const auto desired = static_cast<std::int64_t>(report::ArrayMember(report, "desired").size());
  if (!BoolMember(report, "lookup")) text += TitledLine("desired", report::Count(desired, "grant"));
  text += TitledLine("observed", ObservedLine(report, style));
  const std::string time = report::TimeBoundsText(ObjectMember(report, "timeBounds"), style);
  return time.empty() ? text : text + TitledLine("time", time);
}

Cell StateCell(const Json& row) {
  const std::string state = Shown(row, "state");
  if (state == "in force" || state == "declared") return {state, Colour::kGreen};
  const bool quiet =
      state == "gone" || state == "not yet" || state == "expired" || state == "never";
  return {state, quiet ? Colour::kDim : Colour::kYellow};
}

std::string GrantsTable(const Json& rows, const TextStyle& style) {
  if (rows.empty()) return "";
  report::Table table({{"STATE"},
                       {.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
                       {"ROLE", true, 16, 2},
                       {.title = "TIME", .goes = 1},
                       {"SINCE"},
                       {.title = "WHY", .shrinks = true, .least = 20, .cut = Cut::kNever}});
  for (const Json& row : rows) {
    const Json& grant = ObjectMember(row, "grant");
    const std::string made_by = report::MadeBy(row);
    table.AddRow({StateCell(row),
                  {report::PrincipalOf(grant)},
                  {report::RoleOf(grant)},
                  {report::TimeBoundsText(ObjectMember(row, "timeBounds"), style)},
                  {report::AgeOf(row, "since", style)},
                  {Shown(row, "reason") + (made_by.empty() ? "" : "; changed by " + made_by)}});
  }
  return "\nGrants:\n" + table.Text(style);
}

std::string NextText(const Json& next, const TextStyle& style) {
  if (next.empty()) return "";
  std::string text = "\nNext pass: " + Shown(next, "text") + ".\n";
  const auto list = [&](const char* member, const char* sign, Colour colour) {
    for (const Json& grant : report::ArrayMember(next, member)) {
      const std::string line =
          std::string("  ") + sign + " " + report::PrincipalOf(grant) + " " + report::RoleOf(grant);
      text += report::Paint(line, colour, style) + "\n";
    }
  };
  list("adds", "+", Colour::kGreen);
  list("removes", "-", Colour::kRed);
  if (const std::string note = Shown(next, "note"); !note.empty()) {
    text += report::Paint("  ! " + note, Colour::kYellow, style) + "\n";
  }
  return text;
}

std::string HoldsText(const Json& holds) {
  std::string text;
  for (const Json& hold : holds) {
    const std::string removals = report::Count(report::IntMember(hold, "removals"), "removal");
    text += Shown(hold, "state") == "denied"
                ? "\n" + removals + " denied by " + Shown(hold, "actor")
                : "\nThe guard holds " + removals;
    text += ": " + Shown(hold, "reason") + "\n  let them through with: bindery guard approve " +
            Shown(hold, "digest") + "\n";
  }
  return text;
}

std::string EventsTable(const Json& events, const TextStyle& style) {
  if (events.empty()) return "\nNo events.\n";
  report::Table table({{"AGE"}, {"TYPE"}, {"REASON"}, {"MESSAGE", true}});
  for (const Json& event : events) {
    const bool warning = StringMember(event, "type") == "Warning";
    table.AddRow({{report::AgeOf(event, "time", style)},
                  {Shown(event, "type"), warning ? Colour::kYellow : Colour::kNone},
                  {Shown(event, "reason")},
                  {Shown(event, "message")}});
  }
  return "\nLast events:\n" + table.Text(style);
}

}  // namespace

std::string ExplainText(const Json& report, const TextStyle& style) {
  std::string text =
      ExplainHead(report, style) + GrantsTable(report::ArrayMember(report, "grants"), style);
  std::vector<report::ProblemLine> problems;
  report::ReadJson(report::ArrayMember(report, "problems"), problems);
  if (!problems.empty()) {
    text += "\nIn its manifest:\n" + report::ProblemLines(problems, style);
  }
  return text + NextText(ObjectMember(report, "next"), style) +
         HoldsText(report::ArrayMember(report, "holds")) +
         EventsTable(report::ArrayMember(report, "events"), style);
}

}  // namespace bindery
