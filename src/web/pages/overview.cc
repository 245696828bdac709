#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "web/chart.h"
#include "web/grants.h"
#include "web/history_bars.h"
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

/// "12 foreign, 2 own changes, 3 held, among 40 grants on 9 targets"
std::string DriftNote(const report::DriftSummary& drift) {
  const std::int64_t foreign = drift.by_cause.Of(DriftCause::kForeign);
  std::string note = foreign > 0 ? Figure(foreign) + " foreign, " : "";
  const std::int64_t own = drift.by_cause.Of(DriftCause::kManifest);
  if (own > 0) note += Counted(own, "own change", "own changes") + ", ";
  if (drift.held > 0) note += Figure(drift.held) + " held, ";
  return note + "among " + Counted(drift.grants, "grant", "grants") + " on " +
         Counted(drift.targets, "target", "targets");
}

std::string UndeclaredNote(const report::DaemonOverview& report) {
  const std::int64_t undeclared = report.drift.undeclared;
  std::string trend = UndeclaredTrend(report.history, undeclared);
  if (!trend.empty()) return trend;
  if (report.drift.grants == 0) return "no grant was read yet";
  return undeclared == 0 ? "every grant that was read is declared" : "no manifest declares them";
}

Html Tiles(const report::DaemonOverview& report) {
  const report::ResourceCounts& resources = report.resources;
  const report::DriftSummary& drift = report.drift;
  const auto errors = static_cast<std::int64_t>(report.problems.errors);
  const auto warnings = static_cast<std::int64_t>(report.problems.warnings);
  Html tiles;
  tiles.Add(Tile(
      "/resources", "Resources ready", Figure(resources.ready) + " of " + Figure(resources.total),
      Figure(resources.stalled) + " stalled, " + Figure(resources.reconciling) + " under way" +
          (resources.suspended > 0 ? ", " + Figure(resources.suspended) + " suspended" : ""),
      resources.ready + resources.suspended == resources.total));
  tiles.Add(Tile("/drift", "Differences", Figure(drift.Standing()), DriftNote(drift),
                 drift.Standing() == 0));
  tiles.Add(Tile("/targets?undeclared=true&sort=undeclared", "Undeclared grants",
                 Figure(drift.undeclared), UndeclaredNote(report), drift.undeclared == 0));
  tiles.Add(Tile("/guard", "Removals held", Figure(report.guard.removals),
                 report.guard.removals == 0
                     ? "nothing waits for approval"
                     : Counted(report.guard.holds, "hold waits", "holds wait") + " for approval",
                 report.guard.removals == 0));
  tiles.Add(Tile("/problems", "Manifest errors", Figure(errors),
                 Counted(warnings, "warning", "warnings"), errors == 0));
  return El("div", {{"class", "tiles"}}, tiles);
}

std::string ResourcesSummary(const report::DaemonOverview& report) {
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

Html HealthList(const std::vector<report::HealthLine>& health) {
  Html items;
  for (const report::HealthLine& check : health) {
    items.Add(El("li", {}, Badge(check.ok ? "ok" : "failed", check.name),
                 check.ok ? Html() : El("span", {{"class", "below"}}, check.detail)));
  }
  return El("ul", {{"class", "checks"}}, items);
}

Chart MakeChart(const std::vector<report::ActivitySample>& samples, std::string title,
                const std::function<double(const report::ActivitySample&)>& value) {
  Chart chart;
  chart.title = std::move(title);
  for (const report::ActivitySample& sample : samples) {
    chart.points.push_back({sample.time, value(sample)});
  }
  return chart;
}

Html Charts(const PageContext& context, const report::ActivityReport& activity) {
  using Sample = report::ActivitySample;
  Chart open = MakeChart(activity.samples, "Differences",
                         [](const Sample& sample) { return static_cast<double>(sample.open); });
  Chart waiting = MakeChart(activity.samples, "Resources not ready", [](const Sample& sample) {
    return static_cast<double>(sample.resources) - static_cast<double>(sample.ready);
  });
  Chart pass = MakeChart(activity.samples, "Longest pass",
                         [](const Sample& sample) { return sample.pass_seconds; });
  pass.unit = " s";
  pass.decimals = 2;
  pass.least_top = 0.1;
  Chart budget = MakeChart(activity.samples, "API budget left", [](const Sample& sample) {
    constexpr double kPercent = 100;
    return sample.budget * kPercent;
  });
  budget.unit = "%";
  budget.least_top = 100;
  Html charts;
  for (const Chart& chart : {open, waiting, pass, budget}) {
    charts.Add(ChartFigure(context, chart));
  }
  return MakeSection("Since the start",
                     Html(El("div", {{"class", "charts"}}, charts))
                         .Add(El("p", {{"class", "hint"}}, "Kept in memory since bindery started, ",
                                 Moment(activity.since.value_or(WallTime{})),
                                 ". The budget is the least of all providers.")));
}

Html Month(const report::WorkHistory& history) {
  if (history.count == 0) return {};
  return MakeSection("The last " + MakeWords(history),
                     Html(HistoryBars(history))
                         .Add(El("p", {{"class", "hint"}},
                                 El("a", {{"href", "/history"}}, "The numbers of each day"),
                                 ", and the hours of the last week.")));
}

Html Example(const report::AttentionCause& cause) {
  Html cell = ResourceLink(cause.example);
  return cell.Add(El("span", {{"class", "below"}}, Prose(cause.message)));
}

/// A row for each hold and for each cause, with the way to all that it concerns.
Html Attention(const PageContext& context, const report::DaemonOverview& report) {
  Table table("What waits for somebody, by cause, worst first",
              {{"Cause"}, {"State"}, {"How many", {}, "", true}, {"For example"}, {"Since"}});
  for (const report::WaitingHold& hold : report.holds) {
    table.AddRow({El("a", {{"href", "/guard"}}, "Removals held"), Badge("held"),
                  Counted(hold.removals, "removal", "removals"),
                  El("span", {{"class", "below"}}, Prose(hold.reason)),
                  Ago(context, hold.created_at)});
  }
  for (const report::AttentionCause& cause : report.causes) {
    const std::string state(ToString(cause.state));
    const std::string all =
        WithQuery("/resources", {{"state", state}, {"q", cause.reason}, {"sort", "changed"}});
    table.AddRow({El("a", {{"href", all}}, cause.reason), Badge(state),
                  Counted(cause.resources, "resource", "resources"), Example(cause),
                  Ago(context, cause.since)});
  }
  return table.empty() ? Html() : MakeSection("Needs attention", table.Finished());
}

/// A row for the place; its figures lead to what they count.
void AddPlace(const report::PlaceLine& line, Table& table) {
  const bool unknown = line.place == report::kUnknownPlace;
  const bool provider = !unknown && line.place.find('/') == std::string::npos;
  const auto to = [&](const char* path, const Query& more, const Html& words) {
    const Query within = {{provider ? "q" : "within", line.place}};
    return El("a", {{"href", WithQuery(path, Replaced(within, more))}}, words);
  };
  const Html name = unknown ? Html("project not known") : Breakable(line.place);
  const Html differences = Figure(line.differences);
  const Html undeclared = Figure(line.undeclared);
  table.AddRow({to("/targets", {{"sort", "differences"}}, name),
                line.severity ? Badge(ToString(*line.severity)) : Badge("ok"),
                !provider && line.differences > 0 ? to("/drift", {}, differences) : differences,
                line.undeclared > 0
                    ? to("/targets", {{"undeclared", "true"}, {"sort", "undeclared"}}, undeclared)
                    : undeclared,
                Figure(line.grants), Figure(line.targets)});
}

/// A light for each place: the worst of its differences. The rest of many places is a line.
Html PlacesSection(const PageContext& context, const report::DaemonOverview& report) {
  const bool by_undeclared = context.Asked("places") == "undeclared";
  const Html to_worst = El("a", {{"href", "/"}}, "Worst");
  const Html to_undeclared = El("a", {{"href", "/?places=undeclared"}}, "Undeclared");
  const auto sorted = [](bool is) { return std::string(is ? "descending" : ""); };
  Table table(std::string("Projects, folders and organizations, ") +
                  (by_undeclared ? "most undeclared grants first" : "worst first"),
              {{"Place"},
               {"Worst", to_worst, sorted(!by_undeclared)},
               {"Differences", {}, "", true},
               {"Undeclared", to_undeclared, sorted(by_undeclared), true},
               {"Grants", {}, "", true},
               {"Targets", {}, "", true}});
  const std::vector<report::PlaceLine>& places =
      by_undeclared ? report.most_undeclared : report.places;
  for (const report::PlaceLine& line : places) AddPlace(line, table);
  if (table.empty()) return {};
  Html section = table.Finished();
  const std::int64_t more = report.place_count - std::ssize(places);
  if (more > 0) {
    const char* all =
        by_undeclared ? "/targets?undeclared=true&sort=undeclared" : "/targets?sort=differences";
    section.Add(El("p", {{"class", "hint"}}, Figure(more), " more, ",
                   by_undeclared ? "with fewer" : "none worse", ": ",
                   El("a", {{"href", all}}, "the targets of all places"), "."));
  }
  return MakeSection("Where", section);
}

Html ModeNotice(const std::string& mode) {
  if (mode != "observe") return {};
  return El("p", {{"class", "notice wanting"}},
            "Mode observe: differences are reported, and nothing is written, unless a manifest "
            "says otherwise.");
}

/// Checks that fail come first: the counts below may be old then.
Html HealthNotices(const std::vector<report::HealthLine>& health) {
  Html notices;
  for (const report::HealthLine& check : health) {
    if (check.ok) continue;
    notices.Add(
        El("p", {{"class", "notice wanting"}}, Badge("failed", check.name), " ", check.detail));
  }
  return notices;
}

}  // namespace

std::string OverviewPage(const PageContext& context, const report::DaemonOverview& report) {
  Frame frame;
  frame.title = "Overview";
  frame.section = "/";
  frame.summary = ResourcesSummary(report);
  frame.as_of = report.generated_at;
  Html content = ModeNotice(report.mode);
  content.Add(HealthNotices(report.health));
  content.Add(Tiles(report));
  if (report.resources.total == 0) {
    content.Add(MakeSection("To begin with", FirstManifests("No manifest declares anything yet.")));
  }
  content.Add(Attention(context, report));
  content.Add(PlacesSection(context, report));
  content.Add(ExpiringSection(report.expiring, report.drift.expiring));
  content.Add(Month(report.history));
  content.Add(Charts(context, report.activity));
  content.Add(MakeSection("Health", HealthList(report.health)));
  content.Add(MakeSection("Latest events",
                          EventTable(context, report.events, "The newest events, newest first")));
  return Document(context, frame, content);
}

}  // namespace bindery::web
