#include <string>
#include <utility>
#include <vector>

#include "report/explain/explain_report.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_table.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

std::int64_t Length(std::size_t size) { return static_cast<std::int64_t>(size); }

std::string TitledLine(const std::string& title, const std::string& text) {
  constexpr std::size_t kTitles = 10;
  return "  " + title + std::string(kTitles - title.size(), ' ') + text + "\n";
}

Colour ColourOfResource(ResourceState state) {
  switch (state) {
    case ResourceState::kReady:
      return Colour::kGreen;
    case ResourceState::kStalled:
      return Colour::kRed;
    case ResourceState::kSuspended:
      return Colour::kDim;
    case ResourceState::kReconciling:
      break;
  }
  return Colour::kYellow;
}

std::string StatusLine(const ReportedStatus& status, const TextStyle& style) {
  const std::string state(ToString(status.state));
  std::string text = Paint(state, ColourOfResource(status.state), style);
  if (!status.reason.empty() && status.reason != state) text += ", " + Printable(status.reason);
  if (!status.message.empty()) text += ": " + Printable(status.message);
  return text;
}

std::string ObservedLine(const Explanation& report, const TextStyle& style) {
  if (!report.observed) {
    const bool looked_up = report.lookup && report.observed_at != WallTime{};
    return looked_up ? FormatTimeAge(report.observed_at, style) + " ago" : "not yet";
  }
  const ObservedGrants& observed = *report.observed;
  std::string text = FormatTimeAge(observed.observed_at, style) +
                     " ago: " + (observed.exists ? "" : "no policy, ") +
                     report::Count(Length(observed.grants.size()), "grant");
  if (observed.other_grants > 0) {
    text += " here, " + std::to_string(observed.other_grants) + " that others declare or nobody";
  }
  return text;
}

std::string NotesOfManifest(const Explanation& report) {
  std::string notes;
  if (report.manifest_gone) notes += ", its manifest is gone";
  if (report.mode == "observe") notes += ", mode observe";
  if (report.suspended) notes += ", suspended";
  if (!report.accepted) notes += ", its manifest is not in force";
  return notes.empty() ? notes : notes.substr(2);
}

std::string ExplainHead(const Explanation& report, const TextStyle& style) {
  std::string text =
      Paint(Printable(report.name), Colour::kBold, style) + ": " + Printable(report.kind);
  if (report.source) text += ", " + FindPlace(report.source);
  text += "\n";
  text += TitledLine("target", Printable(report.target));
  if (const std::string role = Shown(report.inputs, "role"); !role.empty())
    text += TitledLine("role", role);
  text += TitledLine("status", StatusLine(report.status, style));
  if (const std::string notes = NotesOfManifest(report); !notes.empty())
    text += TitledLine("notes", notes);
  if (!report.lookup) {
    text += TitledLine("desired", report::Count(Length(report.desired.size()), "grant"));
  }
  text += TitledLine("observed", ObservedLine(report, style));
  const std::string time = TimeBoundsText(report.time_bounds, style);
  return time.empty() ? text : text + TitledLine("time", time);
}

Cell StateCell(GrantState state) {
  std::string word(ToString(state));
  switch (state) {
    case GrantState::kInForce:
    case GrantState::kDeclared:
      return {std::move(word), Colour::kGreen};
    case GrantState::kGone:
    case GrantState::kJustInTime:
    case GrantState::kNotYet:
    case GrantState::kExpired:
    case GrantState::kNever:
      return {std::move(word), Colour::kDim};
    default:
      return {std::move(word), Colour::kYellow};
  }
}

std::string GrantsTable(const std::vector<ExplainedGrant>& rows, const TextStyle& style) {
  if (rows.empty()) return "";
  Table table({{"STATE"},
               {.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
               {"ROLE", true, 16, 2},
               {.title = "TIME", .goes = 1},
               {"SINCE"},
               {.title = "WHY", .shrinks = true, .least = 20, .cut = Cut::kNever}});
  for (const ExplainedGrant& row : rows) {
    const Grant& grant = row.grant.grant;
    const std::string made_by = MadeBy(row.attribution);
    table.AddRow({StateCell(row.state),
                  {GetPrincipal(grant)},
                  {NameRole(grant)},
                  {TimeBoundsText(row.time_bounds, style)},
                  {FormatTimeAge(row.since, style)},
                  {Printable(row.reason) + (made_by.empty() ? "" : "; changed by " + made_by)}});
  }
  return "\nGrants:\n" + table.Text(style);
}

std::string NextText(const NextPass& next, const TextStyle& style) {
  std::string text = "\nNext pass: " + Printable(next.text) + ".\n";
  const auto list = [&](const std::vector<PlannedGrant>& grants, const char* sign, Colour colour) {
    for (const PlannedGrant& planned : grants) {
      const std::string line = std::string("  ") + sign + " " + GetPrincipal(planned.grant) + " " +
                               NameRole(planned.grant) +
                               (planned.gate.empty() ? "" : " (stopped by " + planned.gate + ")");
      text += Paint(line, colour, style) + "\n";
    }
  };
  list(next.adds, "+", Colour::kGreen);
  list(next.removes, "-", Colour::kRed);
  list(next.replaces, "~", Colour::kYellow);
  list(next.stopped, "=", Colour::kYellow);
  if (!next.note.empty()) {
    text += Paint("  ! " + Printable(next.note), Colour::kYellow, style) + "\n";
  }
  return text;
}

std::string HoldsText(const std::vector<HoldLine>& holds) {
  std::string text;
  for (const HoldLine& hold : holds) {
    const std::string removals = report::Count(Length(hold.removals), "removal");
    text += hold.state == HoldState::kDenied
                ? "\n" + removals + " denied by " + Printable(hold.actor)
                : "\nThe guard holds " + removals;
    text += ": " + Printable(hold.reason) + "\n  let them through with: bindery guard approve " +
            Printable(hold.digest) + "\n";
  }
  return text;
}

std::string EventsTable(const std::vector<EventLine>& events, const TextStyle& style) {
  if (events.empty()) return "\nNo events.\n";
  Table table({{"AGE"}, {"TYPE"}, {"REASON"}, {"MESSAGE", true}});
  for (const EventLine& event : events) {
    const bool warning = event.type == EventType::kWarning;
    table.AddRow({{FormatTimeAge(event.time, style)},
                  {std::string(ToString(event.type)), warning ? Colour::kYellow : Colour::kNone},
                  {Printable(event.reason)},
                  {Printable(event.message)}});
  }
  return "\nLast events:\n" + table.Text(style);
}

}  // namespace

std::string ExplainText(const Explanation& report, const TextStyle& style) {
  std::string text = ExplainHead(report, style) + GrantsTable(report.grants, style);
  if (!report.problems.empty()) {
    text += "\nIn its manifest:\n" + ProblemLines(report.problems, style);
  }
  if (report.next) text += NextText(*report.next, style);
  return text + HoldsText(report.holds) + EventsTable(report.events, style);
}

}  // namespace bindery::report
