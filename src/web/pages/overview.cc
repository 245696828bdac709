#include <algorithm>
#include <functional>

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

Html Tiles(const DaemonOverview& report) {
  const ResourceCounts& resources = report.resources;
  const auto errors = static_cast<std::int64_t>(report.problems.errors);
  const auto warnings = static_cast<std::int64_t>(report.problems.warnings);
  Html tiles;
  tiles.Add(Tile(
      "/resources", "Resources ready", Figure(resources.ready) + " of " + Figure(resources.total),
      Figure(resources.stalled) + " stalled, " + Figure(resources.reconciling) + " under way" +
          (resources.suspended > 0 ? ", " + Figure(resources.suspended) + " suspended" : ""),
      resources.ready + resources.suspended == resources.total));
  tiles.Add(
      Tile("/drift", "Differences", Figure(report.drift.Standing()),
           (report.drift.held > 0 ? Figure(report.drift.held) + " held, among " : "among ") +
               Counted(report.drift.grants, "grant", "grants") + " on " +
               Counted(report.drift.targets, "target", "targets") +
               (report.drift.undeclared > 0 ? ", " + Figure(report.drift.undeclared) + " undeclared"
                                            : ""),
           report.drift.Standing() == 0));
  tiles.Add(Tile("/guard", "Removals held", Figure(report.guard.removals),
                 report.guard.removals == 0
                     ? "nothing waits for approval"
                     : Counted(report.guard.holds, "hold waits", "holds wait") + " for approval",
                 report.guard.removals == 0));
  tiles.Add(Tile("/problems", "Manifest errors", Figure(errors),
                 Counted(warnings, "warning", "warnings"), errors == 0));
  return El("div", {{"class", "tiles"}}, tiles);
}

std::string ResourcesSummary(const DaemonOverview& report) {
  const std::int64_t total = report.resources.total;
  const std::int64_t ready = report.resources.ready;
  if (total == 0) return "No resources are declared yet.";
  std::string text =
      ready == total
          ? "All " + Counted(total, "resource is", "resources are") + " ready"
          : Figure(ready) + " of " + Counted(total, "resource is", "resources are") + " ready";
  if (total == 1 && ready == 1) text = "The one resource is ready";
  text += "; " + (report.drift.Standing() == 0
                      ? std::string("nothing differs")
                      : Counted(report.drift.Standing(), "difference", "differences"));
  if (report.drift.held > 0) text += ", " + Figure(report.drift.held) + " held";
  const std::int64_t removals = report.guard.removals;
  if (removals > 0) text += "; " + Counted(removals, "removal waits", "removals wait");
  return text + ".";
}

Html HealthList(const std::vector<HealthLine>& health) {
  Html items;
  for (const HealthLine& check : health) {
    items.Add(El("li", {}, Badge(check.ok ? "ok" : "failed", check.name),
                 check.ok ? Html() : El("span", {{"class", "below"}}, check.detail)));
  }
  return El("ul", {{"class", "checks"}}, items);
}

Chart ChartOf(const std::vector<ActivitySample>& samples, std::string title,
              const std::function<double(const ActivitySample&)>& value) {
  Chart chart;
  chart.title = std::move(title);
  for (const ActivitySample& sample : samples) {
    chart.points.push_back({sample.time, value(sample)});
  }
  return chart;
}

Html Charts(const PageContext& context, const ActivityReport& activity) {
  using Sample = ActivitySample;
  Chart open = ChartOf(activity.samples, "Differences",
                       [](const Sample& sample) { return static_cast<double>(sample.open); });
  Chart waiting = ChartOf(activity.samples, "Resources not ready", [](const Sample& sample) {
    return static_cast<double>(sample.resources) - static_cast<double>(sample.ready);
  });
  Chart pass = ChartOf(activity.samples, "Longest pass",
                       [](const Sample& sample) { return sample.pass_seconds; });
  pass.unit = " s";
  pass.decimals = 2;
  pass.least_top = 0.1;
  Chart budget = ChartOf(activity.samples, "API budget left", [](const Sample& sample) {
    constexpr double kPercent = 100;
    return sample.budget * kPercent;
  });
  budget.unit = "%";
  budget.least_top = 100;
  Html charts;
  for (const Chart& chart : {open, waiting, pass, budget}) {
    charts.Add(ChartFigure(context, chart));
  }
  return SectionOf("Since the start",
                   Html(El("div", {{"class", "charts"}}, charts))
                       .Add(El("p", {{"class", "hint"}}, "Kept in memory since bindery started, ",
                               Moment(activity.since.value_or(WallTime{})),
                               ". The budget is the least of all providers.")));
}

Html Attention(const PageContext& context, const std::vector<AttentionLine>& list) {
  if (list.empty()) return {};
  Table table("The first resources that are not ready, worst first",
              {{"Resource"}, {"State"}, {"Why"}, {"Since"}});
  for (const AttentionLine& resource : list) {
    table.AddRow({ResourceLink(resource.name), Badge(ToString(resource.state)),
                  Name(resource.reason).Add(El("span", {{"class", "below"}}, resource.message)),
                  Ago(context, resource.since)});
  }
  return SectionOf("Needs attention", table.Finished());
}

}  // namespace

std::string OverviewPage(const PageContext& context, const DaemonOverview& report) {
  Frame frame;
  frame.title = "Overview";
  frame.section = "/";
  frame.summary = ResourcesSummary(report);
  Html content = Tiles(report);
  content.Add(Attention(context, report.attention));
  content.Add(Charts(context, report.activity));
  content.Add(SectionOf("Health", HealthList(report.health)));
  content.Add(SectionOf("Latest events",
                        EventTable(context, report.events, "The newest events, newest first")));
  return Document(context, frame, content);
}

}  // namespace bindery::web
