#include <fmt/format.h>

#include <array>

#include "core/access/grant.h"
#include "report/forms/drift_forms.h"
#include "report/forms/drift_html_style.h"
#include "report/text/text_style.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

constexpr std::array<std::string_view, 8> kColumns = {
    "Severity", "Difference", "Grant", "Declared", "Observed", "Seen", "Action", "Manifest"};
constexpr std::array<std::string_view, 5> kExpiringColumns = {"Resource", "Target", "Grants",
                                                              "Ends", "Manifest"};
constexpr std::array<std::string_view, 5> kJustInTimeColumns = {"Grant", "Target", "Until",
                                                                "Given by", "Proof"};
constexpr std::array<std::string_view, 5> kAcceptedColumns = {"Grant", "Target", "Until", "Owner",
                                                              "Reason"};
constexpr std::array<std::string_view, 4> kNoteColumns = {"Note", "Grant", "Target", "Observed"};
constexpr std::array<std::string_view, 4> kFailingColumns = {"Resource", "Target", "Why",
                                                             "Manifest"};

constexpr std::array<std::string_view, 4> kUnmanagedColumns = {"Severity", "Target", "Role",
                                                               "Grants"};

std::string Escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

/// A text of a cloud or a manifest.
std::string Html(std::string_view text) { return Escaped(Printable(text)); }

/// The second line of a cell, smaller; nothing where there is nothing to say.
std::string Small(const std::string& html) {
  return html.empty() ? "" : "<small>" + html + "</small>";
}

std::string HtmlCell(std::string_view label, const std::string& html) {
  return fmt::format("<td data-label=\"{}\">{}</td>", label, html.empty() ? "–" : html);
}

/// A time in RFC 3339; "" for "".
std::string TimeElement(const std::string& time) {
  if (time.empty()) return "";
  return fmt::format("<time datetime=\"{}\">{}</time>", Escaped(time), Escaped(MinuteOfText(time)));
}

std::string GetTime(const std::optional<WallTime>& time) { return TimeElement(TimeText(time)); }

std::string HtmlGrantCell(const DriftReportItem& item) {
  if (!item.grant) return item.field.empty() ? "the target as a whole" : Html(item.field);
  return Escaped(GetPrincipal(item.grant->grant)) + Small(Escaped(NameRole(item.grant->grant))) +
         Small(Escaped(DescribeTimeBounds(item)));
}

std::string HtmlDifferenceCell(const DriftReportItem& item) {
  const std::string cause = Escaped(DescribeKnownCause(item));
  return std::string(ToString(item.drift_class)) +
         (item.change == DriftChange::kNew ? " <span class=\"new\">new</span>" : "") +
         Small(std::string(ToString(item.state)) + (cause.empty() ? "" : ", " + cause));
}

std::string SeenCell(const DriftReportItem& item) {
  const std::string over = GetTime(item.resolved_at);
  const std::string last = over.empty() ? "last " + GetTime(item.last_seen) : "over " + over;
  const std::string made_by = MadeBy(item.attribution);
  return GetTime(item.first_seen) + Small(last) +
         Small(made_by.empty() ? "" : Escaped("by " + made_by));
}

std::string HtmlRow(const DriftReportItem& item) {
  const std::array<std::string, kColumns.size()> cells = {
      fmt::format("<span class=\"{0}\">{0}</span>", ToString(item.severity)),
      HtmlDifferenceCell(item),
      HtmlGrantCell(item),
      Html(item.desired),
      Html(item.observed),
      SeenCell(item),
      Html(item.action),
      Html(item.resource) + Small(Escaped(FindPlace(item.source)))};
  std::string row = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) row += HtmlCell(kColumns.at(i), cells.at(i));
  return row + "</tr>\n";
}

template <std::size_t size>
std::string TableHead(const std::array<std::string_view, size>& titles) {
  std::string columns;
  std::string cells;
  for (const std::string_view title : titles) {
    columns += "<col>";
    cells += fmt::format("<th scope=\"col\">{}</th>", title);
  }
  return "<colgroup>" + columns + "</colgroup>\n<thead><tr>" + cells + "</tr></thead>\n";
}

struct SectionTitle {
  std::string_view title;
  std::size_t count = 0;  ///< Of what it is about, listed or not.
  std::string note = {};
};

Expected<void> WriteHtmlSection(const SectionTitle& title, const DriftDocument::Entries& entries,
                                DriftDocument& report, const TextSink& out) {
  if (entries.empty()) return {};
  out(fmt::format("<h2>{} ({})</h2>\n{}<table class=\"items\">\n{}", title.title, title.count,
                  title.note.empty() ? "" : "<p>" + Escaped(title.note) + "</p>\n",
                  TableHead(kColumns)));
  bool first = true;
  const auto begin = [&](const DriftReportItem& item) {
    out(fmt::format(
        "{}<tbody>\n<tr><th scope=\"rowgroup\" "
        "colspan=\"{}\">{}<small>{}</small></th></tr>\n",
        first ? "" : "</tbody>\n", kColumns.size(), Html(item.target), Html(item.kind)));
    first = false;
  };
  auto written = EachByTarget(report, entries, begin,
                              [&](const DriftReportItem& item) { out(HtmlRow(item)); });
  out("</tbody>\n</table>\n");
  return written;
}

std::string HtmlAcceptedSection(const std::vector<DriftReportItem>& accepted) {
  if (accepted.empty()) return "";
  std::string html = fmt::format("<h2>Accepted ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                                 accepted.size(), TableHead(kAcceptedColumns));
  for (const DriftReportItem& item : accepted) {
    const Acceptance acceptance = item.acceptance.value_or(Acceptance());
    html += "<tr>" +
            HtmlCell(kAcceptedColumns[0],
                     Escaped(GetGrant(item)) + Small(std::string(ToString(item.drift_class)))) +
            HtmlCell(kAcceptedColumns[1], Html(item.target)) +
            HtmlCell(kAcceptedColumns[2],
                     acceptance.until ? GetTime(acceptance.until) : std::string("without an end")) +
            HtmlCell(kAcceptedColumns[3], Html(acceptance.owner)) +
            HtmlCell(kAcceptedColumns[4], Html(acceptance.reason)) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

/// Just-in-time access, which is no drift.
Expected<void> WriteHtmlJustInTime(DriftDocument& report, const TextSink& out) {
  const DriftDocument::Entries entries = ListJustInTime(report.entries());
  if (entries.empty()) return {};
  out(fmt::format("<h2>Just-in-time ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n", entries.size(),
                  TableHead(kJustInTimeColumns)));
  auto written = report.Each(entries, [&](const DriftReportItem& item) {
    const Acceptance access = item.acceptance.value_or(Acceptance());
    out("<tr>" + HtmlCell(kJustInTimeColumns[0], Escaped(GetGrant(item))) +
        HtmlCell(kJustInTimeColumns[1], Html(item.target)) +
        HtmlCell(kJustInTimeColumns[2], GetTime(access.until)) +
        HtmlCell(kJustInTimeColumns[3], Html(access.owner)) +
        HtmlCell(kJustInTimeColumns[4], Html(access.reason)) + "</tr>\n");
  });
  out("</tbody>\n</table>\n");
  return written;
}

std::string HtmlNotesSection(const std::vector<DriftReportItem>& notes) {
  if (notes.empty()) return "";
  std::string html =
      fmt::format("<h2>Notes, which are no drift ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                  notes.size(), TableHead(kNoteColumns));
  for (const DriftReportItem& item : notes) {
    html += "<tr>" + HtmlCell(kNoteColumns[0], std::string(ToString(item.drift_class))) +
            HtmlCell(kNoteColumns[1], Escaped(GetGrant(item))) +
            HtmlCell(kNoteColumns[2], Html(item.target)) +
            HtmlCell(kNoteColumns[3], Html(item.observed)) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string HtmlFailingSection(const std::vector<FailingResource>& failing) {
  if (failing.empty()) return "";
  std::string html = fmt::format(
      "<h2>Cannot be kept as declared ({})</h2>\n<table "
      "class=\"rest\">\n{}<tbody>\n",
      failing.size(), TableHead(kFailingColumns));
  for (const FailingResource& entry : failing) {
    html += "<tr>" + HtmlCell(kFailingColumns[0], Html(entry.resource)) +
            HtmlCell(kFailingColumns[1], Html(entry.target)) +
            HtmlCell(kFailingColumns[2], Html(entry.reason) + Small(Html(entry.message))) +
            HtmlCell(kFailingColumns[3], Escaped(FindPlace(entry.source))) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string HtmlExpiringSection(const std::vector<ExpiringGrants>& expiring) {
  if (expiring.empty()) return "";
  std::string html = fmt::format("<h2>Ends soon ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                                 expiring.size(), TableHead(kExpiringColumns));
  for (const ExpiringGrants& entry : expiring) {
    html += "<tr>" + HtmlCell(kExpiringColumns[0], Html(entry.resource)) +
            HtmlCell(kExpiringColumns[1], Html(entry.target)) +
            HtmlCell(kExpiringColumns[2], Count(entry.grants, "grant") + Small(Html(entry.role))) +
            HtmlCell(kExpiringColumns[3], TimeElement(cel::ToString(entry.ends_at))) +
            HtmlCell(kExpiringColumns[4], Escaped(FindPlace(entry.source))) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string HtmlUnmanagedSection(const DriftHead& head) {
  const std::string line = DescribeUnmanaged(head);
  if (line.empty()) return "";
  const std::string more = DescribeMoreRoles(*head.unmanaged);
  std::string html = fmt::format(
      "<h2>Unmanaged, which is no drift ({})</h2>\n<p>{}.{}</p>\n<table "
      "class=\"rest\">\n{}<tbody>\n",
      head.unmanaged->grants, Escaped(line), more.empty() ? "" : " " + more + ".",
      TableHead(kUnmanagedColumns));
  for (const UnmanagedRole& role : head.unmanaged->roles) {
    html += "<tr>" +
            HtmlCell(kUnmanagedColumns[0],
                     fmt::format("<span class=\"{0}\">{0}</span>", ToString(role.severity))) +
            HtmlCell(kUnmanagedColumns[1], Html(role.target) + Small(Html(role.kind))) +
            HtmlCell(kUnmanagedColumns[2], Html(role.role)) +
            HtmlCell(kUnmanagedColumns[3], std::to_string(role.grants)) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string Summary(const DriftSummary& summary) {
  std::string html = "<dl>\n";
  for (const auto& [what, count] : ListFigures(summary)) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", Escaped(what), Escaped(count));
  }
  html += "</dl>\n";
  std::string severities;
  for (const Severity severity : kWorstFirst) {
    if (summary.by_severity.Of(severity) == 0) continue;
    severities +=
        fmt::format("{}<span class=\"{}\">{} {}</span>", severities.empty() ? "" : ", ",
                    ToString(severity), summary.by_severity.Of(severity), ToString(severity));
  }
  if (!severities.empty()) html += "<p>Open or held, by severity: " + severities + "</p>\n";
  return html;
}

std::string Header(const DriftHead& head, bool clean) {
  std::string html = fmt::format(
      "<h1>Drift report</h1>\n<p class=\"meta\">{}; times are UTC{}</p>\n"
      "<p class=\"lead {}\">{}</p>\n<p>{}</p>\n",
      GetTime(head.generated_at),
      head.least == Severity::kLow
          ? ""
          : fmt::format("; only differences of severity {} or worse", ToString(head.least)),
      clean ? "good" : "bad", Escaped(MakeHeadline(head.summary)),
      Escaped(DescribeSinceLast(head)));
  return html + Summary(head.summary);
}

}  // namespace

/// The current and the latest corrected drift, as one file that needs nothing else: no script, no
/// request.
Expected<void> WriteDriftHtml(DriftDocument& report, const DriftWriting& /*writing*/,
                              const TextSink& out) {
  const DriftHead& head = report.head();
  const DriftDocument::Entries standing = Standing(report.entries());
  out(
      fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                  "'none'; "
                  "style-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, "
                  "initial-scale=1\">\n"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n"
                  "<title>Drift report "
                  "{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
                  Escaped(FormatMinute(head.generated_at)), kDriftStyle));
  out(Header(head, standing.empty()));
  const SectionTitle current = {"Current drift", CountStanding(report), UnlistedText(report)};
  auto written = WriteHtmlSection(current, standing, report, out);
  if (!written) return written;
  DriftDocument::Entries over = Corrected(report.entries());
  const std::size_t corrected = CountCorrected(report);
  const SectionTitle title = {"Corrected drift", corrected, LeftOut(corrected)};
  written = WriteHtmlSection(title, Latest(std::move(over), kOverListed), report, out);
  if (!written) return written;
  out(HtmlAcceptedSection(head.accepted));
  written = WriteHtmlJustInTime(report, out);
  if (!written) return written;
  out(HtmlNotesSection(head.notes));
  out(HtmlFailingSection(head.failing));
  out(HtmlExpiringSection(head.expiring));
  out(HtmlUnmanagedSection(head));
  out("</main>\n</body>\n</html>\n");
  return {};
}

}  // namespace bindery::report
