#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/text/time_text.h"
#include "report/access/access_report.h"
#include "report/forms/access_stream.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/text/text_table.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

Cell VerdictCell(const AccessAnswer& answer) {
  const std::string verdict(ToString(answer.verdict));
  if (answer.verdict == Verdict::kGranted) return {verdict, Colour::kGreen};
  if (answer.verdict == Verdict::kDepends) {
    return {"depends on " + JoinShown(answer.depends_on), Colour::kYellow};
  }
  const std::string text =
      answer.reason.empty() ? verdict : verdict + ": " + Printable(answer.reason);
  return {text, answer.verdict == Verdict::kUnknown ? Colour::kRed : Colour::kDim};
}

Cell SourceCell(const std::optional<DeclaringManifest>& source) {
  return {SourceText(source), source ? Colour::kNone : Colour::kYellow};
}

std::string NotesText(const std::vector<std::string>& notes, const TextStyle& style) {
  std::string text;
  for (const std::string& note : notes) {
    text += Paint("Note: " + Printable(note), Colour::kYellow, style) + "\n";
  }
  return text;
}

/// "Not considered: …", in one line.
std::string LimitsText(const std::vector<std::string>& limits) {
  std::string text;
  for (const std::string& limit : limits) {
    text += (text.empty() ? "Not considered: " : "; ") + Printable(limit);
  }
  return text.empty() ? text : text + ".\n";
}

/// Several kinds and scopes may have a target of one name: each group begins with its own.
template <typename Row>
std::string NameGroup(const Row& row, const std::string& inherited) {
  return row.kind + "|" + row.target + inherited;
}

std::string InheritedText(const AccessAnswer& answer) {
  return answer.inherited_from ? ", inherited from " + *answer.inherited_from : "";
}

/// "4m10s ago", "scan 2h ago"
std::string EvidenceText(const AccessAnswer& answer, const TextStyle& style) {
  return (answer.evidence ? *answer.evidence + " " : "") +
         FormatTimeAge(answer.observed_at, style) + " ago";
}

/// The style, with ages counted from the given moment.
TextStyle StyleAt(const std::string& moment, TextStyle style) {
  if (const auto time = ParseRfc3339(moment)) style.now = *time;
  return style;
}

Table EmptyTableOfAnswers() {
  return report::Table({{.title = "PRINCIPAL", .shrinks = true, .least = 44, .cut = Cut::kNever},
                        {.title = "ROLE", .shrinks = true, .least = 30, .cut = Cut::kNever},
                        {"VERDICT", true, 22},
                        {.title = "TIME", .shrinks = true, .cut = Cut::kWrap},
                        {"FROM", true, 16, 2},
                        {.title = "OBSERVED", .goes = 1},
                        {"NOTE", true, 20, 3}});
}

std::string ChangesTable(const std::vector<AccessChange>& changes, const TextStyle& style) {
  const bool noted = std::ranges::any_of(
      changes, [](const AccessChange& change) { return change.note.has_value(); });
  std::vector<Column> columns = {
      {"CHANGE"},
      {.title = "PRINCIPAL", .shrinks = true, .least = 24, .cut = Cut::kNever},
      {.title = "ROLE", .shrinks = true, .least = 20, .cut = Cut::kNever},
      {"TIME"},
      {"FROM", true, 16, 1}};
  if (noted) columns.push_back({"NOTE", true, 20, 2});
  Table table(std::move(columns));
  std::string group;
  for (const AccessChange& change : changes) {
    if (group != NameGroup(change, "")) table.AddGroup(Printable(change.target));
    group = NameGroup(change, "");
    const bool gained = change.change == AccessTurn::kGained;
    const Grant& grant = change.grant.grant;
    std::string holder = change.via ? Printable(change.principal) + " via " : "";
    holder += GetPrincipal(grant);
    std::vector<Cell> row = {
        {gained ? "+ gained" : "- lost", gained ? Colour::kGreen : Colour::kRed},
        {std::move(holder)},
        {NameRole(grant)},
        {TimeBoundsText(change.time_bounds, style)},
        SourceCell(change.source)};
    if (noted) row.push_back({Printable(change.note.value_or(""))});
    table.AddRow(std::move(row));
  }
  return table.Text(style) + "\n";
}

std::string Tally(const AccessCounts& counts) {
  std::string text;
  const std::pair<std::int64_t, const char*> parts[] = {{counts.granted, " granted"},
                                                        {counts.not_granted, " not granted"},
                                                        {counts.depends, " that depend on more"},
                                                        {counts.unknown, " unknown"}};
  for (const auto& [count, words] : parts) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + words;
  }
  return text;
}

}  // namespace

AccessTableText::AccessTableText(const TextStyle& style)
    : style_(style), as_of_(style), requested_(style), table_(EmptyTableOfAnswers()) {}

void AccessTableText::Begin(const AccessAnswers& head) {
  as_of_ = StyleAt(FormatRfc3339(head.as_of.time), style_);
  requested_ = StyleAt(cel::ToString(head.request_time), style_);
  named_ = !head.principals || head.principals->size() > 1;
}

void AccessTableText::Take(const AccessAnswer& answer, bool certain) {
  const Grant& grant = answer.grant.grant;
  const std::string asked = named_ ? Printable(answer.principal) + " " : "";
  std::vector<Cell> cells = {
      {answer.via ? asked + "via " + Printable(*answer.via) : GetPrincipal(grant)},
      {NameRole(grant)},
      VerdictCell(answer),
      {TimeBoundsText(answer.time_bounds, requested_)},
      SourceCell(answer.source),
      {EvidenceText(answer, as_of_)},
      {Printable(answer.note)}};
  const std::string inherited = InheritedText(answer);
  const std::string target = NameGroup(answer, inherited);
  if (certain) return Add(target, answer.target + inherited, std::move(cells));
  others_.push_back({target, answer.target + inherited, std::move(cells)});
}

void AccessTableText::Add(const std::string& target, const std::string& title,
                          std::vector<Cell> cells) {
  if (target != group_) table_.AddGroup(Printable(title));
  group_ = target;
  ++shown_;
  table_.AddRow(std::move(cells));
}

std::string AccessTableText::Finish(const AccessAnswers& report) && {
  for (LaterRow& row : others_) Add(row.target, row.title, std::move(row.cells));
  std::string text = group_.empty() ? "" : table_.Text(style_) + "\n";
  text += NotesText(report.notes, style_);
  text += "As of " + FormatRfc3339(report.as_of.time) + ": ";
  const std::string limits = LimitsText(report.not_considered);
  if (group_.empty()) return text + "no access on record.\n" + limits;
  const AccessCounts& counts = report.summary;
  text += report::Count(static_cast<std::int64_t>(counts.answers), "answer") + " on " +
          report::Count(static_cast<std::int64_t>(counts.targets), "target") + ", " +
          Tally(counts) + ".\n" + limits;
  if (counts.answers <= shown_) return text;
  const std::size_t more = counts.answers - shown_;
  return text + report::Count(static_cast<std::int64_t>(more), "more answer") +
         (more == 1 ? " is" : " are") + " not shown: --limit all shows every answer.\n";
}

std::string AccessText(const AccessAnswers& report, const TextStyle& style) {
  AccessTableText text(style);
  text.Begin(report);
  for (const AccessAnswer& answer : report.answers) text.Take(answer, true);
  return std::move(text).Finish(report);
}

std::string AccessDiffText(const AccessDiff& diff, const TextStyle& style) {
  std::string text = diff.changes.empty() ? "" : ChangesTable(diff.changes, style);
  text += NotesText(diff.notes, style);
  text += "From " + FormatRfc3339(diff.since.time) + " to " + FormatRfc3339(diff.until.time) + ": ";
  const std::string limits = LimitsText(diff.not_considered);
  if (diff.changes.empty()) return text + "nobody gained or lost anything.\n" + limits;
  text += std::to_string(diff.summary.gained) + " gained, " + std::to_string(diff.summary.lost) +
          " lost, on " + report::Count(diff.summary.targets, "target") + ".\n" + limits;
  const auto shown = static_cast<std::int64_t>(diff.changes.size());
  const std::int64_t more = diff.summary.gained + diff.summary.lost - shown;
  if (more <= 0) return text;
  return text + report::Count(more, "more change") + (more == 1 ? " is" : " are") +
         " not shown: --limit all shows every change.\n";
}

}  // namespace bindery::report
