#include "report/forms/drift_forms.h"
#include "report/text/text_style.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

/// A text that Markdown shows unchanged, also within a table.
std::string Plain(const std::string& text) {
  constexpr std::string_view kMarks = "\\`*_{}[]<>#|~&";
  std::string plain;
  for (const char c : text) {
    if (kMarks.find(c) != std::string_view::npos) plain += '\\';
    plain += c;
  }
  return plain;
}

std::string TableRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + (cell.empty() ? "-" : cell) + " |";
  return row + "\n";
}

std::string Heading(const std::vector<std::string>& titles) {
  return TableRow(titles) + TableRow(std::vector<std::string>(titles.size(), "---"));
}

std::string MarkdownGrantCell(const DriftReportItem& item) {
  const std::string time = DescribeTimeBounds(item);
  return Plain(GetGrant(item)) + (time.empty() ? "" : " (" + time + ")");
}

std::string MarkdownRow(const DriftReportItem& item, bool attributed) {
  const std::string severity(ToString(item.severity));
  const std::string resource = Plain(Printable(item.resource));
  const std::string place = Plain(FindPlace(item.source));
  const std::string cause = DescribeKnownCause(item);
  std::vector<std::string> cells = {
      item.severity >= Severity::kHigh ? "**" + severity + "**" : severity,
      std::string(ToString(item.state)),
      TurnText(item),
      std::string(ToString(item.drift_class)) + (cause.empty() ? "" : ", " + cause),
      MarkdownGrantCell(item),
      Plain(Printable(item.desired)),
      Plain(Printable(item.observed)),
      FormatMinute(item.first_seen),
      FormatMinute(item.last_seen),
      Plain(Printable(item.action)),
      resource + (place.empty() ? "" : " (" + place + ")")};
  if (attributed) cells.push_back(Plain(MadeBy(item.attribution)));
  return TableRow(cells);
}

Expected<void> WriteMarkdownSection(const std::string& title, const std::string& note,
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
      [&](const DriftReportItem& item) {
        out("\n### " + Plain(Printable(item.target)) + "\n\n" + heading);
      },
      [&](const DriftReportItem& item) { out(MarkdownRow(item, report.attributed())); });
}

std::string MarkdownAcceptedSection(const std::vector<DriftReportItem>& accepted) {
  if (accepted.empty()) return "";
  std::string text = "\n## Accepted\n\n" +
                     Heading({"severity", "class", "target", "grant", "until", "owner", "reason"});
  for (const DriftReportItem& item : accepted) {
    const Acceptance acceptance = item.acceptance.value_or(Acceptance());
    text += TableRow({std::string(ToString(item.severity)), std::string(ToString(item.drift_class)),
                      Plain(Printable(item.target)), Plain(GetGrant(item)),
                      FormatMinute(acceptance.until), Plain(Printable(acceptance.owner)),
                      Plain(Printable(acceptance.reason))});
  }
  return text;
}

/// Just-in-time access, which is no drift.
Expected<void> WriteMarkdownJustInTime(DriftDocument& report, const TextSink& out) {
  const DriftDocument::Entries entries = ListJustInTime(report.entries());
  if (entries.empty()) return {};
  out("\n## Just-in-time\n\n" +
      Heading({"severity", "target", "grant", "until", "given by", "proof"}));
  return report.Each(entries, [&](const DriftReportItem& item) {
    const Acceptance access = item.acceptance.value_or(Acceptance());
    out(TableRow({std::string(ToString(item.severity)), Plain(Printable(item.target)),
                  Plain(GetGrant(item)), FormatMinute(access.until), Plain(Printable(access.owner)),
                  Plain(Printable(access.reason))}));
  });
}

std::string MarkdownNotesSection(const std::vector<DriftReportItem>& notes) {
  if (notes.empty()) return "";
  std::string text =
      "\n## Notes, which are no drift\n\n" + Heading({"note", "target", "grant", "observed"});
  for (const DriftReportItem& item : notes) {
    text += TableRow({std::string(ToString(item.drift_class)), Plain(Printable(item.target)),
                      Plain(GetGrant(item)), Plain(Printable(item.observed))});
  }
  return text;
}

std::string MarkdownFailingSection(const std::vector<FailingResource>& failing) {
  if (failing.empty()) return "";
  std::string text = "\n## Cannot be kept as declared\n\n" +
                     Heading({"resource", "target", "reason", "message", "manifest"});
  for (const FailingResource& entry : failing) {
    text += TableRow({Plain(Printable(entry.resource)), Plain(Printable(entry.target)),
                      Plain(Printable(entry.reason)), Plain(Printable(entry.message)),
                      Plain(FindPlace(entry.source))});
  }
  return text;
}

std::string MarkdownExpiringSection(const std::vector<ExpiringGrants>& expiring) {
  if (expiring.empty()) return "";
  std::string text =
      "\n## Ends soon\n\n" + Heading({"resource", "target", "role", "grants", "ends", "manifest"});
  for (const ExpiringGrants& entry : expiring) {
    text += TableRow({Plain(Printable(entry.resource)), Plain(Printable(entry.target)),
                      Plain(Printable(entry.role)), std::to_string(entry.grants),
                      MinuteOfText(cel::ToString(entry.ends_at)), Plain(FindPlace(entry.source))});
  }
  return text;
}

std::string MarkdownUnmanagedSection(const DriftHead& head) {
  const std::string line = DescribeUnmanaged(head);
  if (line.empty()) return "";
  const std::string more = DescribeMoreRoles(*head.unmanaged);
  std::string text = "\n## Unmanaged, which is no drift\n\n" + line + "." +
                     (more.empty() ? "" : " " + more + ".") + "\n\n" +
                     Heading({"severity", "target", "role", "grants"});
  for (const UnmanagedRole& role : head.unmanaged->roles) {
    text += TableRow({std::string(ToString(role.severity)), Plain(Printable(role.target)),
                      Plain(Printable(role.role)), std::to_string(role.grants)});
  }
  return text;
}

std::string Severities(const DriftSummary& summary) {
  std::string text;
  for (const Severity severity : kWorstFirst) {
    text += (text.empty() ? "" : ", ") + std::to_string(summary.by_severity.Of(severity)) + " " +
            std::string(ToString(severity));
  }
  return text;
}

}  // namespace

/// The current drift and the latest of the corrected.
Expected<void> WriteDriftMarkdown(DriftDocument& report, const DriftWriting& /*writing*/,
                                  const TextSink& out) {
  const DriftHead& head = report.head();
  out("# Drift report\n\n" + MakeHeadline(head.summary) + " " + DescribeSinceLast(head) +
      "\n\nMade " + FormatMinute(head.generated_at) + "; times are UTC.\n\n" +
      Heading({"what", "count"}));
  for (const auto& [what, count] : ListFigures(head.summary)) out(TableRow({what, count}));
  out(TableRow({"open or held, by severity", Severities(head.summary)}));
  auto written = WriteMarkdownSection("Current drift", UnlistedText(report),
                                      Standing(report.entries()), report, out);
  if (!written) return written;
  DriftDocument::Entries over = Corrected(report.entries());
  const std::string note = LeftOut(CountCorrected(report));
  written = WriteMarkdownSection("Corrected drift", note, Latest(std::move(over), kOverListed),
                                 report, out);
  if (!written) return written;
  out(MarkdownAcceptedSection(head.accepted));
  written = WriteMarkdownJustInTime(report, out);
  if (!written) return written;
  out(MarkdownNotesSection(head.notes));
  out(MarkdownFailingSection(head.failing));
  out(MarkdownExpiringSection(head.expiring));
  out(MarkdownUnmanagedSection(head));
  return {};
}

}  // namespace bindery::report
