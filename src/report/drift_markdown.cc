#include "report/attributions.h"
#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

/// A text that Markdown shows as it is, also within a table.
std::string Plain(const std::string& text) {
  constexpr std::string_view kMarks = "\\`*_{}[]<>#|~&";
  std::string plain;
  for (const char c : text) {
    if (kMarks.find(c) != std::string_view::npos) plain += '\\';
    plain += c;
  }
  return plain;
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + (cell.empty() ? "-" : cell) + " |";
  return row + "\n";
}

std::string Heading(const std::vector<std::string>& titles) {
  return Row(titles) + Row(std::vector<std::string>(titles.size(), "---"));
}

std::string GrantCell(const Json& item) {
  const std::string time = TimeBoundsOf(item);
  return Plain(GrantOf(item)) + (time.empty() ? "" : " (" + time + ")");
}

std::string RowOf(const Json& item, bool attributed) {
  const std::string severity = Shown(item, "severity");
  const bool loud = severity == "critical" || severity == "high";
  const std::string resource = Plain(Shown(item, "resource"));
  const std::string place = Plain(PlaceOf(item));
  std::vector<std::string> cells = {loud ? "**" + severity + "**" : severity,
                                    Shown(item, "state"),
                                    Shown(item, "change"),
                                    Shown(item, "class"),
                                    GrantCell(item),
                                    Plain(Shown(item, "desired")),
                                    Plain(Shown(item, "observed")),
                                    MinuteOf(item, "firstSeen"),
                                    MinuteOf(item, "lastSeen"),
                                    Plain(Shown(item, "action")),
                                    resource + (place.empty() ? "" : " (" + place + ")")};
  if (attributed) cells.push_back(Plain(MadeBy(item)));
  return Row(cells);
}

std::string Section(const std::string& title, const ItemList& items, bool attributed) {
  if (items.empty()) return "";
  std::string text = "\n## " + title + "\n";
  for (const ItemList& group : ByTarget(items)) {
    text += "\n### " + Plain(Shown(*group.front(), "target")) + "\n\n";
    std::vector<std::string> titles = {"severity",  "state",    "since last", "class",
                                       "grant",     "declared", "observed",   "first seen",
                                       "last seen", "action",   "manifest"};
    if (attributed) titles.emplace_back("changed by");
    text += Heading(titles);
    for (const Json* item : group) text += RowOf(*item, attributed);
  }
  return text;
}

std::string FailingSection(const Json& failing) {
  if (failing.empty()) return "";
  std::string text = "\n## Cannot be kept as declared\n\n" +
                     Heading({"resource", "target", "reason", "message", "manifest"});
  for (const Json& entry : failing) {
    text +=
        Row({Plain(Shown(entry, "resource")), Plain(Shown(entry, "target")),
             Plain(Shown(entry, "reason")), Plain(Shown(entry, "message")), Plain(PlaceOf(entry))});
  }
  return text;
}

std::string ExpiringSection(const Json& expiring) {
  if (expiring.empty()) return "";
  std::string text =
      "\n## Ends soon\n\n" + Heading({"resource", "target", "role", "grants", "ends", "manifest"});
  for (const Json& entry : expiring) {
    text += Row({Plain(Shown(entry, "resource")), Plain(Shown(entry, "target")),
                 Plain(Shown(entry, "role")), std::to_string(IntMember(entry, "grants")),
                 MinuteOf(entry, "endsAt"), Plain(PlaceOf(entry))});
  }
  return text;
}

std::string Severities(const Json& report) {
  std::string text;
  const Json& counts = ObjectMember(ObjectMember(report, "summary"), "bySeverity");
  for (const auto& [severity, count] : counts.items()) {
    text += (text.empty() ? "" : ", ") + count.dump() + " " + severity;
  }
  return text;
}

}  // namespace

std::string DriftMarkdown(const Json& report) {
  std::string text = "# Drift report\n\n" + HeadlineOf(report) + " " + SinceLastOf(report) +
                     "\n\nMade " + MinuteOf(report, "generatedAt") + "; times are UTC.\n\n" +
                     Heading({"what", "count"});
  for (const auto& [what, count] : FiguresOf(report)) text += Row({what, count});
  text += Row({"open or held, by severity", Severities(report)});
  const bool attributed = AreAttributed(report);
  return text + Section("What stands", StandingItems(report), attributed) +
         Section("What was corrected", CorrectedItems(report), attributed) +
         FailingSection(ArrayMember(report, "failing")) +
         ExpiringSection(ArrayMember(report, "expiring"));
}

}  // namespace bindery::report
