#include <fmt/format.h>

#include <array>

#include "core/grant.h"
#include "report/attributions.h"
#include "report/drift_forms.h"
#include "report/drift_html_style.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

constexpr std::array<std::string_view, 8> kColumns = {
    "Severity", "Difference", "Grant", "Declared", "Observed", "Seen", "Action", "Manifest"};
constexpr std::array<std::string_view, 5> kExpiringColumns = {"Resource", "Target", "Grants",
                                                              "Ends", "Manifest"};
constexpr std::array<std::string_view, 5> kAcceptedColumns = {"Grant", "Target", "Until", "Owner",
                                                              "Reason"};
constexpr std::array<std::string_view, 4> kFailingColumns = {"Resource", "Target", "Why",
                                                             "Manifest"};

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

std::string Html(const Json& value, std::string_view name) { return Escaped(Shown(value, name)); }

/// What stands below, smaller; nothing where there is nothing to say.
std::string Small(const std::string& html) {
  return html.empty() ? "" : "<small>" + html + "</small>";
}

std::string Cell(std::string_view label, const std::string& html) {
  return fmt::format("<td data-label=\"{}\">{}</td>", label, html.empty() ? "–" : html);
}

std::string TimeOf(const Json& item, std::string_view name) {
  const std::string minute = MinuteOf(item, name);
  if (minute.empty()) return "";
  return fmt::format("<time datetime=\"{}\">{}</time>", Html(item, name), Escaped(minute));
}

std::string HtmlGrantCell(const Json& item) {
  const Json& grant = ObjectMember(item, "grant");
  if (grant.empty()) {
    const std::string field = Html(item, "field");
    return field.empty() ? "the target as a whole" : field;
  }
  return Escaped(PrincipalOf(grant)) + Small(Escaped(RoleOf(grant))) +
         Small(Escaped(TimeBoundsOf(item)));
}

std::string DifferenceCell(const Json& item) {
  const bool is_new = StringMember(item, "change") == "new";
  const std::string cause = Escaped(KnownCauseOf(item));
  return Html(item, "class") + (is_new ? " <span class=\"new\">new</span>" : "") +
         Small(Html(item, "state") + (cause.empty() ? "" : ", " + cause));
}

std::string SeenCell(const Json& item) {
  const std::string over = TimeOf(item, "resolvedAt");
  const std::string last = over.empty() ? "last " + TimeOf(item, "lastSeen") : "over " + over;
  const std::string made_by = MadeBy(item);
  return TimeOf(item, "firstSeen") + Small(last) +
         Small(made_by.empty() ? "" : Escaped("by " + made_by));
}

std::string HtmlRow(const Json& item) {
  const std::string severity = Html(item, "severity");
  const std::array<std::string, kColumns.size()> cells = {
      fmt::format("<span class=\"{0}\">{0}</span>", severity),
      DifferenceCell(item),
      HtmlGrantCell(item),
      Html(item, "desired"),
      Html(item, "observed"),
      SeenCell(item),
      Html(item, "action"),
      Html(item, "resource") + Small(Escaped(PlaceOf(item)))};
  std::string row = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) row += Cell(kColumns.at(i), cells.at(i));
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

Expected<void> WriteSection(const SectionTitle& title, const DriftDocument::Entries& entries,
                            DriftDocument& report, const TextSink& out) {
  if (entries.empty()) return {};
  out(fmt::format("<h2>{} ({})</h2>\n{}<table class=\"items\">\n{}", title.title, title.count,
                  title.note.empty() ? "" : "<p>" + Escaped(title.note) + "</p>\n",
                  TableHead(kColumns)));
  bool first = true;
  const auto begin = [&](const Json& item) {
    out(fmt::format(
        "{}<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"{}\">{}<small>{}</small></th></tr>\n",
        first ? "" : "</tbody>\n", kColumns.size(), Html(item, "target"), Html(item, "kind")));
    first = false;
  };
  auto written =
      EachByTarget(report, entries, begin, [&](const Json& item) { out(HtmlRow(item)); });
  out("</tbody>\n</table>\n");
  return written;
}

std::string HtmlAcceptedSection(const Json& accepted) {
  if (accepted.empty()) return "";
  std::string html = fmt::format("<h2>Accepted ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                                 accepted.size(), TableHead(kAcceptedColumns));
  for (const Json& item : accepted) {
    const Json& acceptance = ObjectMember(item, "acceptance");
    const std::string until = MinuteOf(acceptance, "until");
    html += "<tr>" +
            Cell(kAcceptedColumns[0], Escaped(GrantOf(item)) + Small(Html(item, "class"))) +
            Cell(kAcceptedColumns[1], Html(item, "target")) +
            Cell(kAcceptedColumns[2],
                 until.empty() ? std::string("without an end") : TimeOf(acceptance, "until")) +
            Cell(kAcceptedColumns[3], Html(acceptance, "owner")) +
            Cell(kAcceptedColumns[4], Html(acceptance, "reason")) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string HtmlFailingSection(const Json& failing) {
  if (failing.empty()) return "";
  std::string html =
      fmt::format("<h2>Cannot be kept as declared ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                  failing.size(), TableHead(kFailingColumns));
  for (const Json& entry : failing) {
    html += "<tr>" + Cell(kFailingColumns[0], Html(entry, "resource")) +
            Cell(kFailingColumns[1], Html(entry, "target")) +
            Cell(kFailingColumns[2], Html(entry, "reason") + Small(Html(entry, "message"))) +
            Cell(kFailingColumns[3], Escaped(PlaceOf(entry))) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string HtmlExpiringSection(const Json& expiring) {
  if (expiring.empty()) return "";
  std::string html = fmt::format("<h2>Ends soon ({})</h2>\n<table class=\"rest\">\n{}<tbody>\n",
                                 expiring.size(), TableHead(kExpiringColumns));
  for (const Json& entry : expiring) {
    const std::string grants = Count(IntMember(entry, "grants"), "grant");
    html += "<tr>" + Cell(kExpiringColumns[0], Html(entry, "resource")) +
            Cell(kExpiringColumns[1], Html(entry, "target")) +
            Cell(kExpiringColumns[2], grants + Small(Html(entry, "role"))) +
            Cell(kExpiringColumns[3], TimeOf(entry, "endsAt")) +
            Cell(kExpiringColumns[4], Escaped(PlaceOf(entry))) + "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string Summary(const Json& report) {
  const Json& summary = ObjectMember(report, "summary");
  std::string html = "<dl>\n";
  for (const auto& [what, count] : FiguresOf(report)) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", Escaped(what), Escaped(count));
  }
  html += "</dl>\n";
  std::string severities;
  for (const auto& [severity, count] : ObjectMember(summary, "bySeverity").items()) {
    if (count == 0) continue;
    severities += fmt::format("{}<span class=\"{}\">{} {}</span>", severities.empty() ? "" : ", ",
                              Escaped(severity), count.dump(), Escaped(severity));
  }
  if (!severities.empty()) html += "<p>Open or held, by severity: " + severities + "</p>\n";
  return html;
}

std::string Header(const Json& report, bool clean) {
  const std::string least = Shown(report, "leastSeverity");
  std::string html = fmt::format(
      "<h1>Drift report</h1>\n<p class=\"meta\">{}; times are UTC{}</p>\n"
      "<p class=\"lead {}\">{}</p>\n<p>{}</p>\n",
      TimeOf(report, "generatedAt"),
      least.empty() || least == "low"
          ? ""
          : "; only differences of severity " + Escaped(least) + " or worse",
      clean ? "good" : "bad", Escaped(HeadlineOf(report)), Escaped(SinceLastOf(report)));
  return html + Summary(report);
}

}  // namespace

/// What stands, and of what is over the latest, as one file that needs nothing else: no script, no
/// request.
Expected<void> WriteDriftHtml(DriftDocument& report, const DriftWriting& /*writing*/,
                              const TextSink& out) {
  const Json& head = report.head();
  const DriftDocument::Entries standing = Standing(report.entries());
  out(
      fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n"
                  "<title>Drift report {}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
                  Escaped(MinuteOf(head, "generatedAt")), kDriftStyle));
  out(Header(head, standing.empty()));
  auto written = WriteSection({"What stands", standing.size()}, standing, report, out);
  if (!written) return written;
  DriftDocument::Entries over = Corrected(report.entries());
  const SectionTitle title = {"What was corrected", over.size(), LeftOut(over.size())};
  written = WriteSection(title, Latest(std::move(over), kOverListed), report, out);
  if (!written) return written;
  out(HtmlAcceptedSection(ArrayMember(head, "accepted")));
  out(HtmlFailingSection(ArrayMember(head, "failing")));
  out(HtmlExpiringSection(ArrayMember(head, "expiring")));
  out("</main>\n</body>\n</html>\n");
  return {};
}

}  // namespace bindery::report
