#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/explain/explain_report.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_table.h"
#include "report/text/text_wrap.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

std::int64_t Length(std::size_t size) { return static_cast<std::int64_t>(size); }

constexpr std::size_t kTitles = 10;
/// Where the texts beside the titles begin.
constexpr std::size_t kTexts = kTitles + 2;

std::string TitledLine(const std::string& title, const std::string& text) {
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
  std::string text = state;
  if (!status.reason.empty() && status.reason != state) text += ", " + Printable(status.reason);
  if (!status.message.empty()) text += ": " + Printable(status.message);
  // The width counts before the colour comes.
  text = FitLine(std::string(kTexts, ' ') + text, kTexts, style).substr(kTexts);
  return Paint(state, ColourOfResource(status.state), style) + text.substr(state.size());
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

/// `is_told`: the head has the role.
std::string GrantsTable(const std::vector<ExplainedGrant>& rows, bool is_told,
                        const TextStyle& style) {
  if (rows.empty()) return "";
  const std::string role = NameRole(rows.front().grant.grant);
  const bool one_role = std::ranges::all_of(
      rows, [&](const ExplainedGrant& row) { return NameRole(row.grant.grant) == role; });
  // The head names the only role of a binding; several are never left out.
  Column roles{"ROLE", true, 16, one_role && is_told ? 2 : 0, Cut::kNever};
  Table table({{"STATE"},
               {.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
               std::move(roles),
               {.title = "TIME", .goes = 1},
               {"SINCE"},
               {.title = "WHY", .shrinks = true, .least = 20, .cut = Cut::kWrap}});
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
  constexpr std::size_t kUnderGrant = 6;
  std::string text = "\n" + FitLine("Next pass: " + Printable(next.text) + ".", 2, style) + "\n";
  const auto list = [&](const std::vector<PlannedGrant>& grants, const char* sign, Colour colour) {
    for (const PlannedGrant& planned : grants) {
      const std::string line = std::string("  ") + sign + " " + GetPrincipal(planned.grant) + " " +
                               NameRole(planned.grant) +
                               (planned.gate.empty() ? "" : " (stopped by " + planned.gate + ")");
      text += Paint(FitLine(line, kUnderGrant, style), colour, style) + "\n";
    }
  };
  list(next.adds, "+", Colour::kGreen);
  list(next.removes, "-", Colour::kRed);
  list(next.replaces, "~", Colour::kYellow);
  list(next.stopped, "=", Colour::kYellow);
  if (!next.note.empty()) {
    text +=
        Paint(FitLine("  ! " + Printable(next.note), kUnderGrant, style), Colour::kYellow, style) +
        "\n";
  }
  return text;
}

std::string HoldsText(const std::vector<HoldLine>& holds, const TextStyle& style) {
  std::string text;
  for (const HoldLine& hold : holds) {
    const std::string removals = report::Count(Length(hold.removals), "removal");
    const std::string head = hold.state == HoldState::kDenied
                                 ? removals + " denied by " + Printable(hold.actor)
                                 : "The guard holds " + removals;
    text += "\n" + FitLine(head + ": " + Printable(hold.reason), 2, style) +
            "\n  let them through with: bindery guard approve " + Printable(hold.digest) + "\n";
  }
  return text;
}

std::string EventsTable(const std::vector<EventLine>& events, const TextStyle& style) {
  if (events.empty()) return "\nNo events.\n";
  Table table({{"AGE"},
               {.title = "TYPE", .goes = 1},
               {"REASON"},
               {.title = "MESSAGE", .shrinks = true, .least = 40, .cut = Cut::kWrap}});
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
  std::string text = ExplainHead(report, style) +
                     GrantsTable(report.grants, !Shown(report.inputs, "role").empty(), style);
  if (!report.problems.empty()) {
    text += "\nIn its manifest:\n" + ProblemLines(report.problems, style);
  }
  if (report.next) text += NextText(*report.next, style);
  return text + HoldsText(report.holds, style) + EventsTable(report.events, style);
}

}  // namespace bindery::report
