#include "web/filter.h"
#include "web/history_bars.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

constexpr const char* kNewestFirst = "-time";

Html RangeLinks(const PageContext& context, const report::WorkHistory& report) {
  Html links;
  for (const report::HistoryRange& range : report::kHistoryRanges) {
    const std::string name(range.name);
    links.Add(
        El("a",
           {{"href", WithQuery("/history", {{"range", name}, {"sort", context.Asked("sort")}})},
            {"aria-current", "page", name == report.range}},
           std::string(range.words)));
  }
  return El("nav", {{"class", "pager"}, {"aria-label", "Range"}}, links);
}

/// "3", or "0 to 3" of a number that moved.
std::string RangeWords(const store::HourRange& range) {
  if (range.least == range.most) return Figure(range.last);
  return Figure(range.least) + " to " + Figure(range.most);
}

/// The same as the bars, for who reads.
Html HistoryTable(const PageContext& context, const report::WorkHistory& report) {
  const bool days = report.ByDays();
  const auto number = [&](const char* title, const char* name) {
    Column column = Sorted(context, title, {name, kNewestFirst});
    column.number = true;
    return column;
  };
  Table table(days ? "The numbers of each day" : "The numbers of each hour",
              {Sorted(context, days ? "Day" : "Hour", {"time", kNewestFirst}),
               number("Open differences", "open"), number("Undeclared grants", "undeclared"),
               number("Drift found", "found"), number("Policies written", "writes"),
               number("Errors", "errors"), number("Calls to clouds", "calls")});
  for (const report::HistorySpan& span : report.spans) {
    table.AddRow({SpanName(report, span.time), RangeWords(span.open), RangeWords(span.undeclared),
                  Figure(span.found), Figure(span.writes), Figure(span.errors),
                  Figure(span.calls)});
  }
  return table.empty() ? Nothing("Nothing is on record yet.") : table.Finished();
}

std::string HistorySummary(const report::WorkHistory& report) {
  std::int64_t found = 0;
  std::int64_t writes = 0;
  std::int64_t errors = 0;
  for (const report::HistorySpan& span : report.spans) {
    found += span.found;
    writes += span.writes;
    errors += span.errors;
  }
  return "In " + MakeWords(report) + ": " + Counted(found, "difference", "differences") +
         " found, " + Counted(writes, "policy", "policies") + " written, " +
         Counted(errors, "error", "errors") + ".";
}

}  // namespace

std::string HistoryPage(const PageContext& context, const report::WorkHistory& report) {
  PageContext ordered = context;
  report::WorkHistory by_time = report;
  report::SortSpans(by_time, report::HistoryOrder::kTime, /*descending=*/false);
  report::WorkHistory listed = report;
  if (context.Asked("sort").empty()) {
    report::SortSpans(listed, report::HistoryOrder::kTime, /*descending=*/true);
    // JSON and CSV have the order of the page.
    ordered.query = Replaced(context.query, {{"sort", kNewestFirst}});
  }
  Frame frame;
  frame.title = "History";
  frame.section = "/history";
  frame.summary = HistorySummary(report);
  frame.before = RangeLinks(context, report);
  frame.has_csv = true;
  Html content = HistoryBars(by_time);
  content.Add(
      El("p", {{"class", "hint"}},
         "Of the daemon at work, on record in the store. Days and hours are of UTC. Grey: no "
         "daemon was at work. The lighter part of a bar was there for a part of the time."));
  content.Add(MakeSection("Numbers", HistoryTable(ordered, listed)));
  return Document(ordered, frame, content);
}

}  // namespace bindery::web
