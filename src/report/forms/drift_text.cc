#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/forms/access_words.h"
#include "report/forms/drift_forms.h"
#include "report/text/text_table.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

Cell SeverityCell(const DriftReportItem& item) {
  const std::string severity(ToString(item.severity));
  if (item.state == DriftState::kCorrected) return {severity, Colour::kDim};
  if (item.severity >= Severity::kHigh) return {severity, Colour::kRed};
  return {severity, item.severity == Severity::kMedium ? Colour::kYellow : Colour::kNone};
}

/// The class, the cause, and what is not simply open: lines are short of space.
Cell DifferenceCell(const DriftReportItem& item) {
  const std::string cause = DescribeKnownCause(item);
  const std::string difference =
      std::string(ToString(item.drift_class)) + (cause.empty() ? "" : ", " + cause);
  if (item.state == DriftState::kCorrected) return {difference + ", corrected", Colour::kGreen};
  if (item.state == DriftState::kHeld) return {difference + ", held", Colour::kYellow};
  return {difference};
}

/// The grant, with its validity if the condition limits the time. The holder comes first, so that
/// a narrow terminal shows the role below the holder.
std::string GrantCell(const DriftReportItem& item, const TextStyle& style) {
  if (!item.grant) return Printable(item.field);
  const std::string time = TimeBoundsText(item.time_bounds, style);
  return GetPrincipal(item.grant->grant) + " " + NameRole(item.grant->grant) +
         (time.empty() ? "" : " (" + time + ")");
}

/// Desired beside observed. The grant shows its condition already, unless the condition is the
/// difference.
std::string Comparison(const DriftReportItem& item) {
  const bool brief =
      item.drift_class == DriftClass::kMissing || item.drift_class == DriftClass::kUndeclared;
  const auto in_words = [&](const std::string& words) {
    const std::string text = Printable(words);
    return brief ? text.substr(0, text.find(" if ")) : text;
  };
  return in_words(item.desired) + " | " + in_words(item.observed);
}

std::string GetResourceText(const DriftReportItem& item) {
  const std::string place = FindPlace(item.source);
  return Printable(item.resource) + (place.empty() ? "" : " (" + place + ")");
}

constexpr std::size_t kOverShown = 100;

/// All of the current drift and the latest of the corrected: more of that only hides the current.
DriftDocument::Entries WorthALine(const DriftDocument::Entries& entries, DriftLines lines) {
  if (lines == DriftLines::kStanding) return Standing(entries);
  std::set<std::int64_t> latest;
  for (const auto& entry : Latest(Corrected(entries), kOverShown)) latest.insert(entry.id);
  DriftDocument::Entries worth;
  for (const DriftDocument::Entry& entry : entries) {
    if (entry.Stands() || (!entry.just_in_time && latest.contains(entry.id))) {
      worth.push_back(entry);
    }
  }
  return worth;
}

std::vector<Column> MakeColumns(bool attributed) {
  std::vector<Column> columns = {
      {"ID"},
      {"SEVERITY"},
      {"DIFFERENCE"},
      {.title = "GRANT", .shrinks = true, .least = 40, .cut = Cut::kWrap},
      {"DESIRED | OBSERVED", true, 18, 2},
      {"AGE"}};
  if (attributed) columns.push_back({"CHANGED BY", true, 20, 1});
  columns.push_back({"RESOURCE", true, 16, 3});
  return columns;
}

Expected<std::string> ItemsTable(DriftDocument& report, const DriftDocument::Entries& entries,
                                 const TextStyle& style) {
  if (entries.empty()) return "";
  const bool attributed = report.attributed();
  Table table(MakeColumns(attributed));
  const auto begin = [&](const DriftReportItem& item) { table.AddGroup(Printable(item.target)); };
  auto read = EachByTarget(report, entries, begin, [&](const DriftReportItem& item) {
    std::vector<Cell> cells = {{std::to_string(item.id)}, SeverityCell(item),
                               DifferenceCell(item),      {GrantCell(item, style)},
                               {Comparison(item)},        {FormatTimeAge(item.first_seen, style)}};
    if (attributed) cells.push_back({NameActor(item.attribution)});
    cells.push_back({GetResourceText(item)});
    table.AddRow(std::move(cells));
  });
  if (!read) return Fail(read.error());
  return table.Text(style) + "\n";
}

/// Access on request, as a separate table.
Expected<std::string> JustInTimeTable(DriftDocument& report, const TextStyle& style) {
  const DriftDocument::Entries entries = ListJustInTime(report.entries());
  if (entries.empty()) return "";
  Table table({{"ID"},
               {"SEVERITY"},
               {"DIFFERENCE"},
               {.title = "GRANT", .shrinks = true, .least = 40, .cut = Cut::kWrap},
               {"UNTIL"},
               {"GIVEN BY", true, 12, 2},
               {"PROOF", true, 20, 1}});
  const auto begin = [&](const DriftReportItem& item) { table.AddGroup(Printable(item.target)); };
  auto read = EachByTarget(report, entries, begin, [&](const DriftReportItem& item) {
    const Acceptance access = item.acceptance.value_or(Acceptance());
    table.AddRow({{std::to_string(item.id)},
                  {std::string(ToString(item.severity)), Colour::kDim},
                  {std::string(ToString(item.drift_class))},
                  {GrantCell(item, style)},
                  {FormatMinute(access.until)},
                  {Printable(access.owner)},
                  {Printable(access.reason)}});
  });
  if (!read) return Fail(read.error());
  return table.Text(style) + "\n";
}

std::string AcceptedTable(const std::vector<DriftReportItem>& accepted, const TextStyle& style) {
  if (accepted.empty()) return "";
  Table table({{"ID"},
               {"SEVERITY"},
               {"DIFFERENCE"},
               {.title = "GRANT", .shrinks = true, .least = 40, .cut = Cut::kWrap},
               {"UNTIL"},
               {"OWNER", true, 12, 2},
               {"REASON", true, 20, 1}});
  std::string target;
  for (const DriftReportItem& item : accepted) {
    if (item.target != target) table.AddGroup(Printable(item.target));
    target = item.target;
    const Acceptance acceptance = item.acceptance.value_or(Acceptance());
    table.AddRow({{std::to_string(item.id)},
                  SeverityCell(item),
                  {std::string(ToString(item.drift_class))},
                  {GrantCell(item, style)},
                  {acceptance.until ? FormatMinute(acceptance.until) : "without an end"},
                  {Printable(acceptance.owner)},
                  {Printable(acceptance.reason)}});
  }
  return table.Text(style) + "\n";
}

std::string AcceptedLine(const std::vector<DriftReportItem>& accepted) {
  if (accepted.empty()) return "";
  const auto count = static_cast<std::int64_t>(accepted.size());
  const std::string until = FormatMinute(accepted.front().acceptance.value_or(Acceptance()).until);
  return Count(count, "difference") + (count == 1 ? " is" : " are") + " accepted" +
         (until.empty() ? "" : (count == 1 ? " until " : ", the first until ") + until + " UTC") +
         ": bindery drift --accepted\n";
}

/// By target and role: single grants would be too many.
std::string UnmanagedTable(const std::optional<UnmanagedGrants>& unmanaged,
                           const TextStyle& style) {
  if (!unmanaged || unmanaged->roles.empty()) return "";
  Table table({{"SEVERITY"},
               {"GRANTS"},
               {.title = "ROLE", .shrinks = true, .least = 24, .cut = Cut::kWrap},
               {.title = "TARGET", .shrinks = true, .least = 24, .cut = Cut::kWrap}});
  for (const UnmanagedRole& role : unmanaged->roles) {
    table.AddRow({{std::string(ToString(role.severity)), Colour::kDim},
                  {std::to_string(role.grants)},
                  {Printable(role.role)},
                  {Printable(role.target)}});
  }
  const std::string more = DescribeMoreRoles(*unmanaged);
  return table.Text(style) + (more.empty() ? "" : more + ": bindery coverage --by role\n") + "\n";
}

std::string UnmanagedLine(const DriftHead& head, DriftLines lines) {
  const std::string text = DescribeUnmanaged(head);
  if (text.empty()) return "";
  return text +
         (lines == DriftLines::kStanding ? ": bindery drift --unmanaged\n" : " (no drift).\n");
}

std::string NotesTable(const std::vector<DriftReportItem>& notes, const TextStyle& style) {
  if (notes.empty()) return "";
  Table table({{"ID"},
               {"NOTE"},
               {.title = "GRANT", .shrinks = true, .least = 40, .cut = Cut::kWrap},
               {"OBSERVED", true, 18, 1},
               {"AGE"}});
  std::string target;
  for (const DriftReportItem& item : notes) {
    if (item.target != target) table.AddGroup(Printable(item.target));
    target = item.target;
    table.AddRow({{std::to_string(item.id)},
                  {std::string(ToString(item.drift_class))},
                  {GrantCell(item, style)},
                  {Printable(item.observed)},
                  {FormatTimeAge(item.first_seen, style)}});
  }
  return table.Text(style) + "\n";
}

/// "2 deleted principals are left in policies, 1 grant is stored under another name: …"
std::string NotesLine(const std::vector<DriftReportItem>& notes, DriftLines lines) {
  if (notes.empty()) return "";
  const auto tombstones = std::count_if(notes.begin(), notes.end(), [](const auto& item) {
    return item.drift_class == DriftClass::kTombstone;
  });
  const auto others = static_cast<std::int64_t>(notes.size()) - tombstones;
  std::string text;
  if (tombstones > 0) {
    text = Count(tombstones, "deleted principal") + (tombstones == 1 ? " is" : " are") +
           " left in policies";
  }
  if (others > 0) {
    text += (text.empty() ? "" : ", ") + Count(others, "grant") + (others == 1 ? " is" : " are") +
            " stored under another name";
  }
  return text + (lines == DriftLines::kAll ? " (no drift).\n" : " (no drift): --all lists them\n");
}

/// Lines that appear only with content.
std::string Footer(const DriftHead& head, DriftLines lines) {
  std::string text;
  if (head.least != Severity::kLow) {
    text += "Only differences of severity " + std::string(ToString(head.least)) + " or worse.\n";
  }
  if (head.previous_at) text += DescribeSinceLast(head) + "\n";
  text += AcceptedLine(head.accepted);
  text += NotesLine(head.notes, lines);
  text += UnmanagedLine(head, lines);
  const DriftSummary& summary = head.summary;
  if (summary.just_in_time > 0) {
    text += Count(summary.just_in_time, "just-in-time grant") +
            (summary.just_in_time == 1 ? " is" : " are") + " no drift: bindery drift --all\n";
  }
  if (summary.undeclared > 0) {
    text += Count(summary.undeclared, "grant") + (summary.undeclared == 1 ? " is" : " are") +
            " declared by no manifest: bindery access lists who holds what\n";
  }
  if (summary.failing > 0) {
    text += Count(summary.failing, "resource") + " cannot be kept as declared: bindery get\n";
  }
  if (!head.expiring.empty()) {
    const ExpiringGrants& first = head.expiring.front();
    text += Count(summary.expiring, "grant") + (summary.expiring == 1 ? " ends" : " end") +
            " soon, the first on " + MinuteOfText(cel::ToString(first.ends_at)) +
            " UTC: " + Printable(first.resource) + "\n";
  }
  return text;
}

/// ", of which the latest 100 are listed: `-o json` has all"
std::string ListedOnly(std::int64_t corrected, DriftLines lines) {
  const bool few = corrected <= std::int64_t{kOverShown};
  if (lines == DriftLines::kStanding) {
    if (corrected == 0) return "";
    return few ? ": --all lists them" : ": --all lists the latest " + std::to_string(kOverShown);
  }
  if (few) return "";
  return ", of which the latest " + std::to_string(kOverShown) + " are listed: -o json has all";
}

std::string Headline(const DriftSummary& summary, DriftLines lines, const TextStyle& style) {
  const std::string scope =
      Count(summary.grants, "grant") + " on " + Count(summary.targets, "target");
  std::string text;
  if (summary.Standing() == 0) {
    text = Paint("No drift", Colour::kGreen, style) + " among " + scope;
    if (summary.corrected > 0) text += "; " + Count(summary.corrected, "difference") + " corrected";
  } else {
    const std::int64_t foreign = summary.by_cause.Of(DriftCause::kForeign);
    text = Paint(Count(summary.Standing(), "difference"), Colour::kRed, style) + " among " + scope +
           ": " + std::to_string(summary.open) + " open, " + std::to_string(summary.held) + " held";
    if (foreign > 0) text += ", " + std::to_string(foreign) + " of them foreign";
    if (summary.corrected > 0) text += "; " + std::to_string(summary.corrected) + " more corrected";
  }
  return text + ListedOnly(summary.corrected, lines) + ".\n";
}

}  // namespace

/// For a terminal: the current and the latest corrected drift. Rows are as wide as the widest row,
/// so all are held in memory.
Expected<void> WriteDriftText(DriftDocument& report, const DriftWriting& writing,
                              const TextSink& out) {
  const DriftLines lines = writing.lines;
  const TextStyle& style = writing.style;
  const DriftHead& head = report.head();
  if (lines == DriftLines::kAccepted) {
    out(head.accepted.empty() ? "No difference is accepted.\n"
                              : AcceptedTable(head.accepted, style));
    return {};
  }
  if (lines == DriftLines::kUnmanaged) {
    const std::string line = UnmanagedLine(head, lines);
    out(UnmanagedTable(head.unmanaged, style) +
        (line.empty() ? "No grant on a target that nobody manages is known: bindery scan\n"
                      : line));
    return {};
  }
  const auto table = ItemsTable(report, WorthALine(report.entries(), lines), style);
  if (!table) return Fail(table.error());
  out(*table);
  if (lines != DriftLines::kStanding) {
    const auto access = JustInTimeTable(report, style);
    if (!access) return Fail(access.error());
    out(*access);
  }
  if (lines == DriftLines::kAll) {
    out(NotesTable(head.notes, style) + UnmanagedTable(head.unmanaged, style));
  }
  out(Headline(head.summary, lines, style));
  if (const std::string more = UnlistedText(report); !more.empty()) out(more + "\n");
  out(Footer(head, lines));
  return {};
}

}  // namespace bindery::report
