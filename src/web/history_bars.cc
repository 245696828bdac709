#include "web/history_bars.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>

#include "core/text/time_text.h"
#include "web/bars.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

/// Calls `take` with each span of the range in order; null: it has no record.
void EachSpan(const report::WorkHistory& history,
              const std::function<void(const report::HistorySpan*)>& take) {
  const std::chrono::seconds step(history.step_seconds);
  auto span = history.spans.begin();
  WallTime begin = history.from;
  for (std::int64_t i = 0; i < history.count; ++i, begin += step) {
    const bool known = span != history.spans.end() && span->time == begin;
    take(known ? &*span : nullptr);
    if (known) ++span;
  }
}

std::string Missing(const report::WorkHistory& history) {
  const std::int64_t missing = history.count - static_cast<std::int64_t>(history.spans.size());
  if (missing <= 0) return "";
  return "; no record of " +
         (history.ByDays() ? Counted(missing, "day", "days") : Counted(missing, "hour", "hours"));
}

BarChart MakeChart(const report::WorkHistory& history, const char* title) {
  BarChart chart;
  chart.title = title;
  chart.first = SpanName(history, history.from);
  return chart;
}

/// A number that goes up and down: what it was last, between which values it was.
Html RangeFigure(const report::WorkHistory& history, const char* title,
                 store::HourRange report::HistorySpan::*value) {
  BarChart chart = MakeChart(history, title);
  const bool none = history.spans.empty();
  store::HourRange all = none ? store::HourRange() : history.spans.front().*value;
  EachSpan(history, [&](const report::HistorySpan* span) {
    if (span == nullptr) return chart.bars.push_back(std::nullopt);
    const store::HourRange& range = span->*value;
    chart.bars.push_back(
        BarChart::Bar{static_cast<double>(range.least), static_cast<double>(range.most)});
    report::Widen(all, range);
  });
  chart.figure = none ? "–" : Figure(all.last);
  chart.words = chart.title + ": " +
                (none ? std::string("nothing recorded")
                      : Figure(all.last) + " at last, between " + Figure(all.least) + " and " +
                            Figure(all.most) + " in " + MakeWords(history) + Missing(history));
  return BarFigure(chart);
}

/// What is counted: the sum, and the most of one span.
Html CountFigure(const report::WorkHistory& history, const char* title,
                 std::int64_t report::HistorySpan::*value) {
  BarChart chart = MakeChart(history, title);
  std::int64_t sum = 0;
  const report::HistorySpan* most = nullptr;
  EachSpan(history, [&](const report::HistorySpan* span) {
    if (span == nullptr) return chart.bars.push_back(std::nullopt);
    const std::int64_t count = span->*value;
    chart.bars.push_back(BarChart::Bar{static_cast<double>(count), static_cast<double>(count)});
    sum += count;
    if (most == nullptr || count > most->*value) most = span;
  });
  chart.figure = Figure(sum);
  chart.words = chart.title + ": " + Figure(sum) + " in " + MakeWords(history);
  if (sum > 0) {
    chart.words += ", at most " + Figure(most->*value) + " (" + SpanName(history, most->time) + ")";
  }
  chart.words += Missing(history);
  return BarFigure(chart);
}

}  // namespace

std::string MakeWords(const report::WorkHistory& history) {
  for (const report::HistoryRange& range : report::kHistoryRanges) {
    if (range.name == history.range) return std::string(range.words);
  }
  return history.range;
}

std::string SpanName(const report::WorkHistory& history, WallTime begin) {
  constexpr std::size_t kDate = 10;
  const std::string text = FormatRfc3339(begin);
  std::string date = text.substr(0, kDate);
  if (history.ByDays()) return date;
  return date + " " + text.substr(kDate + 1, 5);
}

Html HistoryBars(const report::WorkHistory& history) {
  Html charts = RangeFigure(history, "Open differences", &report::HistorySpan::open);
  charts.Add(RangeFigure(history, "Undeclared grants", &report::HistorySpan::undeclared));
  charts.Add(CountFigure(history, "Drift found", &report::HistorySpan::found));
  charts.Add(CountFigure(history, "Policies written", &report::HistorySpan::writes));
  charts.Add(CountFigure(history, "Errors", &report::HistorySpan::errors));
  charts.Add(CountFigure(history, "Calls to clouds", &report::HistorySpan::calls));
  return El("div", {{"class", "charts"}}, charts);
}

std::string UndeclaredTrend(const report::WorkHistory& history, std::int64_t now) {
  if (history.spans.size() < 2) return "";
  const report::HistorySpan& first = history.spans.front();
  const std::int64_t before = first.undeclared.last;
  if (before == now) return "";
  return Figure(std::abs(now - before)) + (now > before ? " more" : " fewer") + " than on " +
         SpanName(history, first.time);
}

}  // namespace bindery::web
