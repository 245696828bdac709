#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/access_words.h"
#include "report/attributions.h"
#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text_table.h"

namespace bindery::report {
namespace {

Cell SeverityCell(const Json& item) {
  const std::string severity = Shown(item, "severity");
  if (StringMember(item, "state") == "corrected") return {severity, Colour::kDim};
  if (severity == "critical" || severity == "high") return {severity, Colour::kRed};
  return {severity, severity == "medium" ? Colour::kYellow : Colour::kNone};
}

/// The class, the cause, and what is not simply open: lines are short of space.
Cell DifferenceCell(const Json& item) {
  const std::string state = Shown(item, "state");
  const std::string cause = KnownCauseOf(item);
  const std::string difference = Shown(item, "class") + (cause.empty() ? "" : ", " + cause);
  if (state == "corrected") return {difference + ", corrected", Colour::kGreen};
  if (state == "held") return {difference + ", held", Colour::kYellow};
  return {difference};
}

/// The grant, and how long it is in force where its condition bounds it in time. Whose it is comes
/// first: the end is what a narrow terminal does not show.
std::string GrantCell(const Json& item, const TextStyle& style) {
  const Json& grant = ObjectMember(item, "grant");
  if (grant.empty()) return Shown(item, "field");
  const std::string time = TimeBoundsText(ObjectMember(item, "timeBounds"), style);
  return PrincipalOf(grant) + " " + RoleOf(grant) + (time.empty() ? "" : " (" + time + ")");
}

/// Desired beside observed. The grant tells its condition already, unless that is the difference.
std::string Comparison(const Json& item) {
  const std::string drift_class = StringMember(item, "class");
  const bool brief = drift_class == "missing" || drift_class == "undeclared";
  const auto in_words = [&](const char* name) {
    const std::string text = Shown(item, name);
    return brief ? text.substr(0, text.find(" if ")) : text;
  };
  return in_words("desired") + " | " + in_words("observed");
}

std::string ResourceOf(const Json& item) {
  const std::string place = PlaceOf(item);
  return Shown(item, "resource") + (place.empty() ? "" : " (" + place + ")");
}

constexpr std::size_t kOverShown = 20;

/// What stands, all of it, and of what is over the latest: more of that only hides what stands.
DriftDocument::Entries WorthALine(const DriftDocument::Entries& entries, DriftLines lines) {
  if (lines == DriftLines::kStanding) return Standing(entries);
  std::set<std::int64_t> latest;
  for (const auto& entry : Latest(Corrected(entries), kOverShown)) latest.insert(entry.id);
  DriftDocument::Entries worth;
  for (const DriftDocument::Entry& entry : entries) {
    if (entry.Stands() || latest.contains(entry.id)) worth.push_back(entry);
  }
  return worth;
}

std::vector<Column> ColumnsOf(bool attributed) {
  std::vector<Column> columns = {{"ID"},
                                 {"SEVERITY"},
                                 {"DIFFERENCE"},
                                 {"GRANT", true, 40},
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
  Table table(ColumnsOf(attributed));
  const auto begin = [&](const Json& item) { table.AddGroup(Shown(item, "target")); };
  auto read = EachByTarget(report, entries, begin, [&](const Json& item) {
    std::vector<Cell> cells = {{std::to_string(IntMember(item, "id"))},
                               SeverityCell(item),
                               DifferenceCell(item),
                               {GrantCell(item, style)},
                               {Comparison(item)},
                               {AgeOf(item, "firstSeen", style)}};
    if (attributed) cells.push_back({ActorOf(item)});
    cells.push_back({ResourceOf(item)});
    table.AddRow(std::move(cells));
  });
  if (!read) return Fail(read.error());
  return table.Text(style) + "\n";
}

std::string AcceptedTable(const Json& accepted, const TextStyle& style) {
  if (accepted.empty()) return "";
  Table table({{"ID"},
               {"SEVERITY"},
               {"DIFFERENCE"},
               {"GRANT", true, 40},
               {"UNTIL"},
               {"OWNER", true, 12, 2},
               {"REASON", true, 20, 1}});
  std::string target;
  for (const Json& item : accepted) {
    if (const std::string next = Shown(item, "target"); next != target) table.AddGroup(next);
    target = Shown(item, "target");
    const Json& acceptance = ObjectMember(item, "acceptance");
    const std::string until = MinuteOf(acceptance, "until");
    table.AddRow({{std::to_string(IntMember(item, "id"))},
                  SeverityCell(item),
                  {Shown(item, "class")},
                  {GrantCell(item, style)},
                  {until.empty() ? "without an end" : until},
                  {Shown(acceptance, "owner")},
                  {Shown(acceptance, "reason")}});
  }
  return table.Text(style) + "\n";
}

std::string AcceptedLine(const Json& report) {
  const Json& accepted = ArrayMember(report, "accepted");
  if (accepted.empty()) return "";
  const auto count = static_cast<std::int64_t>(accepted.size());
  const std::string until = MinuteOf(ObjectMember(accepted.front(), "acceptance"), "until");
  return Count(count, "difference") + (count == 1 ? " is" : " are") + " accepted" +
         (until.empty() ? "" : (count == 1 ? " until " : ", the first until ") + until + " UTC") +
         ": bindery drift --accepted\n";
}

/// What is worth a line only when there is something to say.
std::string Footer(const Json& report) {
  std::string text;
  const std::string least = Shown(report, "leastSeverity");
  if (!least.empty() && least != "low")
    text += "Only differences of severity " + least + " or worse.\n";
  if (!StringMember(report, "previousAt").empty()) text += SinceLastOf(report) + "\n";
  text += AcceptedLine(report);
  const std::int64_t failing = IntMember(ObjectMember(report, "summary"), "failing");
  if (failing > 0) {
    text += Count(failing, "resource") + " cannot be kept as declared: bindery get\n";
  }
  const Json& expiring = ArrayMember(report, "expiring");
  if (!expiring.empty()) {
    const std::int64_t grants = IntMember(ObjectMember(report, "summary"), "expiring");
    text += Count(grants, "grant") + (grants == 1 ? " ends" : " end") + " soon, the first on " +
            MinuteOf(expiring.front(), "endsAt") + " UTC: " + Shown(expiring.front(), "resource") +
            "\n";
  }
  return text;
}

/// ", of which the latest 20 are listed: `-o json` has all"
std::string ListedOnly(std::int64_t corrected, DriftLines lines) {
  if (lines == DriftLines::kStanding) return corrected > 0 ? ": --all lists them" : "";
  if (corrected <= std::int64_t{kOverShown}) return "";
  return ", of which the latest " + std::to_string(kOverShown) + " are listed: -o json has all";
}

std::string Headline(const Json& summary, DriftLines lines, const TextStyle& style) {
  const std::int64_t open = IntMember(summary, "open");
  const std::int64_t held = IntMember(summary, "held");
  const std::int64_t corrected = IntMember(summary, "corrected");
  const std::string scope = Count(IntMember(summary, "grants"), "grant") + " on " +
                            Count(IntMember(summary, "targets"), "target");
  std::string text;
  if (open + held == 0) {
    text = Paint("No drift", Colour::kGreen, style) + " among " + scope;
    if (corrected > 0) text += "; " + Count(corrected, "difference") + " corrected";
  } else {
    const std::int64_t foreign = IntMember(ObjectMember(summary, "byCause"), "foreign");
    text = Paint(Count(open + held, "difference"), Colour::kRed, style) + " among " + scope + ": " +
           std::to_string(open) + " open, " + std::to_string(held) + " held";
    if (foreign > 0) text += ", " + std::to_string(foreign) + " of them foreign";
    if (corrected > 0) text += "; " + std::to_string(corrected) + " more corrected";
  }
  return text + ListedOnly(corrected, lines) + ".\n";
}

}  // namespace

/// For a terminal: what stands, and the last of what is over. Rows are as wide as the widest of
/// them, so that all are held.
Expected<void> WriteDriftText(DriftDocument& report, const DriftWriting& writing,
                              const TextSink& out) {
  const DriftLines lines = writing.lines;
  const TextStyle& style = writing.style;
  if (lines == DriftLines::kAccepted) {
    const Json& accepted = ArrayMember(report.head(), "accepted");
    out(accepted.empty() ? "No difference is accepted.\n" : AcceptedTable(accepted, style));
    return {};
  }
  const auto table = ItemsTable(report, WorthALine(report.entries(), lines), style);
  if (!table) return Fail(table.error());
  out(*table);
  out(Headline(ObjectMember(report.head(), "summary"), lines, style));
  out(Footer(report.head()));
  return {};
}

}  // namespace bindery::report
