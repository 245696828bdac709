#include <string>

#include "core/time_text.h"
#include "report/access_report.h"
#include "report/access_words.h"
#include "report/json_fields.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Cell;
using report::Colour;
using report::Cut;
using report::Shown;

Cell VerdictCell(const Json& answer) {
  const std::string verdict = Shown(answer, "verdict");
  if (verdict == "granted") return {verdict, Colour::kGreen};
  if (verdict == "depends") {
    return {"depends on " + report::JoinShown(report::ArrayMember(answer, "dependsOn")),
            Colour::kYellow};
  }
  const std::string reason = Shown(answer, "reason");
  const std::string text = reason.empty() ? verdict : verdict + ": " + reason;
  return {text, verdict == "unknown" ? Colour::kRed : Colour::kDim};
}

Cell SourceCell(const Json& row) {
  const bool declared = !report::ObjectMember(row, "source").empty();
  return {report::SourceText(row), declared ? Colour::kNone : Colour::kYellow};
}

std::string NotesText(const Json& report, const TextStyle& style) {
  std::string text;
  for (const Json& note : report::ArrayMember(report, "notes")) {
    text += report::Paint("Note: " + report::Printable(note.get<std::string>()), Colour::kYellow,
                          style) +
            "\n";
  }
  return text;
}

/// Several kinds and scopes may have a target of one name: each group begins with its own.
void StartGroup(report::Table& table, const Json& row, std::string& group) {
  const std::string key = StringMember(row, "kind") + "|" + StringMember(row, "target");
  if (key == group) return;
  group = key;
  table.AddGroup(Shown(row, "target"));
}

/// The style, with ages counted from another moment of the report.
TextStyle StyleAt(const Json& report, const char* moment, TextStyle style) {
  if (const auto time = ParseRfc3339(StringMember(report, moment))) style.now = *time;
  return style;
}

std::string AnswersTable(const Json& report, const TextStyle& style) {
  const TextStyle as_of = StyleAt(report, "asOf", style);
  const TextStyle requested = StyleAt(report, "requestTime", style);
  const bool several = report::ArrayMember(report, "principals").size() > 1;
  report::Table table({{.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
                       {.title = "ROLE", .shrinks = true, .least = 20, .cut = Cut::kNever},
                       {"VERDICT", true, 10},
                       {"TIME"},
                       {"FROM", true, 16, 2},
                       {.title = "OBSERVED", .goes = 1},
                       {"NOTE", true, 20, 3}});
  std::string group;
  for (const Json& answer : report::ArrayMember(report, "answers")) {
    StartGroup(table, answer, group);
    const Json& grant = report::ObjectMember(answer, "grant");
    const std::string via = Shown(answer, "via");
    const std::string asked = several ? Shown(answer, "principal") + " " : "";
    table.AddRow({{via.empty() ? report::PrincipalOf(grant) : asked + "via " + via},
                  {report::RoleOf(grant)},
                  VerdictCell(answer),
                  {report::TimeBoundsText(report::ObjectMember(answer, "timeBounds"), requested)},
                  SourceCell(answer),
                  {report::AgeOf(answer, "observedAt", as_of) + " ago"},
                  {Shown(answer, "note")}});
  }
  return table.Text(style) + "\n";
}

std::string Tally(const Json& summary) {
  std::string text;
  const std::pair<const char*, const char*> parts[] = {{"granted", " granted"},
                                                       {"notGranted", " not granted"},
                                                       {"depends", " that depend on more"},
                                                       {"unknown", " unknown"}};
  for (const auto& [name, words] : parts) {
    const std::int64_t count = report::IntMember(summary, name);
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + words;
  }
  return text;
}

}  // namespace

std::string AccessText(const Json& report, const TextStyle& style) {
  const Json& answers = report::ArrayMember(report, "answers");
  const Json& summary = report::ObjectMember(report, "summary");
  std::string text = answers.empty() ? "" : AnswersTable(report, style);
  text += NotesText(report, style);
  text += "As of " + Shown(report, "asOf") + ": ";
  if (answers.empty()) return text + "no access on record.\n";
  return text + report::Count(report::IntMember(summary, "answers"), "answer") + " on " +
         report::Count(report::IntMember(summary, "targets"), "target") + ", " + Tally(summary) +
         ".\n";
}

std::string AccessDiffText(const Json& report, const TextStyle& style) {
  const Json& changes = report::ArrayMember(report, "changes");
  const Json& summary = report::ObjectMember(report, "summary");
  std::string text;
  if (!changes.empty()) {
    report::Table table({{"CHANGE"},
                         {.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
                         {.title = "ROLE", .shrinks = true, .least = 20, .cut = Cut::kNever},
                         {"TIME"},
                         {"FROM", true, 16, 1}});
    std::string group;
    for (const Json& change : changes) {
      StartGroup(table, change, group);
      const bool gained = StringMember(change, "change") == "gained";
      const Json& grant = report::ObjectMember(change, "grant");
      table.AddRow({{gained ? "+ gained" : "- lost", gained ? Colour::kGreen : Colour::kRed},
                    {report::PrincipalOf(grant)},
                    {report::RoleOf(grant)},
                    {report::TimeBoundsText(report::ObjectMember(change, "timeBounds"), style)},
                    SourceCell(change)});
    }
    text = table.Text(style) + "\n";
  }
  text += NotesText(report, style);
  text += "From " + Shown(report, "since") + " to " + Shown(report, "until") + ": ";
  if (changes.empty()) return text + "nobody gained or lost anything.\n";
  return text + std::to_string(report::IntMember(summary, "gained")) + " gained, " +
         std::to_string(report::IntMember(summary, "lost")) + " lost, on " +
         report::Count(report::IntMember(summary, "targets"), "target") + ".\n";
}

}  // namespace bindery
