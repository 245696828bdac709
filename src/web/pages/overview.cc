#include <algorithm>
#include <functional>

#include "core/time_text.h"
#include "web/chart.h"
#include "web/pages/event_table.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html Tile(const char* href, std::string_view title, std::string_view figure, std::string_view note,
          bool fine) {
  return El("a", {{"class", fine ? "tile" : "tile wanting"}, {"href", href}},
            El("span", {{"class", "what"}}, title), El("b", {}, figure),
            El("span", {{"class", "note"}}, note));
}

Html Tiles(const Json& report) {
  const Json& resources = ObjectOf(report, "resources");
  const Json& drift = ObjectOf(report, "drift");
  const Json& guard = ObjectOf(report, "guard");
  const Json& problems = ObjectOf(report, "problems");
  const std::int64_t total = CountOf(resources, "total");
  const std::int64_t ready = CountOf(resources, "ready");
  const std::int64_t stalled = CountOf(resources, "stalled");
  const std::int64_t suspended = CountOf(resources, "suspended");
  const std::int64_t open = CountOf(drift, "open");
  const std::int64_t removals = CountOf(guard, "removals");
  const std::int64_t errors = CountOf(problems, "errors");
  Html tiles;
  tiles.Add(Tile("/resources", "Resources ready", Figure(ready) + " of " + Figure(total),
                 Figure(stalled) + " stalled, " + Figure(CountOf(resources, "reconciling")) +
                     " under way" + (suspended > 0 ? ", " + Figure(suspended) + " suspended" : ""),
                 ready + suspended == total));
  tiles.Add(Tile("/drift", "Open differences", Figure(open),
                 "among " + Counted(CountOf(drift, "grants"), "grant", "grants") + " on " +
                     Counted(CountOf(drift, "targets"), "target", "targets"),
                 open == 0));
  tiles.Add(Tile("/guard", "Removals held", Figure(removals),
                 removals == 0 ? "nothing waits for approval"
                               : Counted(CountOf(guard, "holds"), "hold waits", "holds wait") +
                                     " for approval",
                 removals == 0));
  tiles.Add(Tile("/problems", "Manifest errors", Figure(errors),
                 Counted(CountOf(problems, "warnings"), "warning", "warnings"), errors == 0));
  return El("div", {{"class", "tiles"}}, tiles);
}

std::string ResourcesSummary(const Json& report) {
  const Json& resources = ObjectOf(report, "resources");
  const Json& drift = ObjectOf(report, "drift");
  const std::int64_t total = CountOf(resources, "total");
  if (total == 0) return "No resources are declared yet.";
  std::string text = CountOf(resources, "ready") == total
                         ? "All " + Counted(total, "resource is", "resources are") + " ready"
                         : Figure(CountOf(resources, "ready")) + " of " +
                               Counted(total, "resource is", "resources are") + " ready";
  if (total == 1 && CountOf(resources, "ready") == 1) text = "The one resource is ready";
  text +=
      "; " + (CountOf(drift, "open") == 0
                  ? std::string("nothing differs")
                  : Counted(CountOf(drift, "open"), "difference is", "differences are") + " open");
  const std::int64_t removals = CountOf(ObjectOf(report, "guard"), "removals");
  if (removals > 0) text += "; " + Counted(removals, "removal waits", "removals wait");
  return text + ".";
}

Html HealthList(const Json& report) {
  Html items;
  for (const Json& check : ListOf(report, "health")) {
    const bool ok = IsTrue(check, "ok");
    items.Add(El("li", {}, Badge(ok ? "ok" : "failed", TextOf(check, "name")),
                 ok ? Html() : El("span", {{"class", "below"}}, TextOf(check, "detail"))));
  }
  return El("ul", {{"class", "checks"}}, items);
}

Chart ChartOf(const Json& samples, std::string title,
              const std::function<double(const Json&)>& value) {
  Chart chart;
  chart.title = std::move(title);
  for (const Json& sample : samples) {
    const auto time = ParseRfc3339(TextOf(sample, "time"));
    if (time) chart.points.push_back({*time, value(sample)});
  }
  return chart;
}

double NumberOf(const Json& object, std::string_view name) {
  const Json* member = FindMember(object, name);
  return member != nullptr && member->is_number() ? member->get<double>() : 0;
}

Html Charts(const PageContext& context, const Json& report) {
  const Json& samples = ListOf(ObjectOf(report, "activity"), "samples");
  Chart open = ChartOf(samples, "Open differences",
                       [](const Json& sample) { return NumberOf(sample, "open"); });
  Chart waiting = ChartOf(samples, "Resources not ready", [](const Json& sample) {
    return NumberOf(sample, "resources") - NumberOf(sample, "ready");
  });
  Chart pass = ChartOf(samples, "Longest pass",
                       [](const Json& sample) { return NumberOf(sample, "passSeconds"); });
  pass.unit = " s";
  pass.decimals = 2;
  pass.least_top = 0.1;
  Chart budget = ChartOf(samples, "API budget left", [](const Json& sample) {
    constexpr double kPercent = 100;
    return NumberOf(sample, "budget") * kPercent;
  });
  budget.unit = "%";
  budget.least_top = 100;
  Html charts;
  for (const Chart& chart : {open, waiting, pass, budget}) {
    charts.Add(ChartFigure(context, chart));
  }
  const std::string since = TextOf(ObjectOf(report, "activity"), "since");
  return SectionOf("Since the start",
                   Html(El("div", {{"class", "charts"}}, charts))
                       .Add(El("p", {{"class", "hint"}}, "Kept in memory since bindery started, ",
                               Moment(ObjectOf(report, "activity"), "since"),
                               ". The budget is the least of all providers.")));
}

Html Attention(const PageContext& context, const Json& report) {
  const Json& list = ListOf(report, "attention");
  if (list.empty()) return {};
  Table table("The first resources that are not ready, worst first",
              {{"Resource"}, {"State"}, {"Why"}, {"Since"}});
  for (const Json& resource : list) {
    table.AddRow({ResourceLink(TextOf(resource, "name")), Badge(TextOf(resource, "state")),
                  Html(TextOf(resource, "reason"))
                      .Add(El("span", {{"class", "below"}}, TextOf(resource, "message"))),
                  Ago(context, resource, "since")});
  }
  return SectionOf("Needs attention", table.Finished());
}

}  // namespace

std::string OverviewPage(const PageContext& context, const Json& report) {
  Frame frame;
  frame.title = "Overview";
  frame.section = "/";
  frame.summary = ResourcesSummary(report);
  Html content = Tiles(report);
  content.Add(Attention(context, report));
  content.Add(Charts(context, report));
  content.Add(SectionOf("Health", HealthList(report)));
  std::vector<EventLine> events;
  report::ReadJson(ListOf(report, "events"), events);
  content.Add(
      SectionOf("Latest events", EventTable(context, events, "The newest events, newest first")));
  return Document(context, frame, content);
}

}  // namespace bindery::web
