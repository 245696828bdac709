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

std::string MarkdownGrantCell(const Json& item) {
  const std::string time = TimeBoundsOf(item);
  return Plain(GrantOf(item)) + (time.empty() ? "" : " (" + time + ")");
}

std::string MarkdownRow(const Json& item, bool attributed) {
  const std::string severity = Shown(item, "severity");
  const bool loud = severity == "critical" || severity == "high";
  const std::string resource = Plain(Shown(item, "resource"));
  const std::string place = Plain(PlaceOf(item));
  const std::string cause = KnownCauseOf(item);
  std::vector<std::string> cells = {loud ? "**" + severity + "**" : severity,
                                    Shown(item, "state"),
                                    Shown(item, "change"),
                                    Shown(item, "class") + (cause.empty() ? "" : ", " + cause),
                                    MarkdownGrantCell(item),
                                    Plain(Shown(item, "desired")),
                                    Plain(Shown(item, "observed")),
                                    MinuteOf(item, "firstSeen"),
                                    MinuteOf(item, "lastSeen"),
                                    Plain(Shown(item, "action")),
                                    resource + (place.empty() ? "" : " (" + place + ")")};
  if (attributed) cells.push_back(Plain(MadeBy(item)));
  return Row(cells);
}

Expected<void> WriteSection(const std::string& title, const std::string& note,
                            const DriftDocument::Entries& entries, DriftDocument& report,
                            const TextSink& out) {
  if (entries.empty()) return {};
  out("\n## " + title + "\n" + (note.empty() ? "" : "\n" + note + "\n"));
  std::vector<std::string> titles = {"severity",  "state",    "since last", "class",
                                     "grant",     "declared", "observed",   "first seen",
                                     "last seen", "action",   "manifest"};
  if (report.attributed()) titles.emplace_back("changed by");
  const std::string heading = Heading(titles);
  return EachByTarget(
      report, entries,
      [&](const Json& item) { out("\n### " + Plain(Shown(item, "target")) + "\n\n" + heading); },
      [&](const Json& item) { out(MarkdownRow(item, report.attributed())); });
}

std::string MarkdownAcceptedSection(const Json& accepted) {
  if (accepted.empty()) return "";
  std::string text = "\n## Accepted\n\n" +
                     Heading({"severity", "class", "target", "grant", "until", "owner", "reason"});
  for (const Json& item : accepted) {
    const Json& acceptance = ObjectMember(item, "acceptance");
    text += Row({Shown(item, "severity"), Shown(item, "class"), Plain(Shown(item, "target")),
                 Plain(GrantOf(item)), MinuteOf(acceptance, "until"),
                 Plain(Shown(acceptance, "owner")), Plain(Shown(acceptance, "reason"))});
  }
  return text;
}

std::string MarkdownFailingSection(const Json& failing) {
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

std::string MarkdownExpiringSection(const Json& expiring) {
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

/// What stands, and of what is over the latest.
Expected<void> WriteDriftMarkdown(DriftDocument& report, const DriftWriting& /*writing*/,
                                  const TextSink& out) {
  const Json& head = report.head();
  out("# Drift report\n\n" + HeadlineOf(head) + " " + SinceLastOf(head) + "\n\nMade " +
      MinuteOf(head, "generatedAt") + "; times are UTC.\n\n" + Heading({"what", "count"}));
  for (const auto& [what, count] : FiguresOf(head)) out(Row({what, count}));
  out(Row({"open or held, by severity", Severities(head)}));
  auto written = WriteSection("What stands", "", Standing(report.entries()), report, out);
  if (!written) return written;
  DriftDocument::Entries over = Corrected(report.entries());
  const std::string note = LeftOut(over.size());
  written =
      WriteSection("What was corrected", note, Latest(std::move(over), kOverListed), report, out);
  if (!written) return written;
  out(MarkdownAcceptedSection(ArrayMember(head, "accepted")));
  out(MarkdownFailingSection(ArrayMember(head, "failing")));
  out(MarkdownExpiringSection(ArrayMember(head, "expiring")));
  return {};
}

}  // namespace bindery::report
