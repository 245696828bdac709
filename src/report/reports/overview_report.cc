#include "report/reports/overview_report.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/reports/kept_reports.h"
#include "report/values/problem_values.h"

namespace bindery::report {
namespace {

constexpr std::size_t kShown = 10;

GuardCounts CountsOfGuard(const HoldList& guard) {
  GuardCounts counts;
  for (const HoldLine& hold : guard.holds) {
    if (hold.state != HoldState::kOpen) continue;
    ++counts.holds;
    counts.removals += static_cast<std::int64_t>(hold.removals);
  }
  return counts;
}

ProblemCounts CountsOfProblems(const std::map<std::string, std::size_t>& by_severity) {
  ProblemCounts counts;
  for (const auto& [severity, count] : by_severity) {
    const bool warning = severity == ToString(manifests::ProblemSeverity::kWarning);
    (warning ? counts.warnings : counts.errors) += count;
  }
  return counts;
}

std::vector<WaitingHold> WaitingAmong(const HoldList& guard) {
  std::vector<WaitingHold> waiting;
  for (const HoldLine& hold : guard.holds) {
    if (hold.state != HoldState::kOpen || waiting.size() == kShown) continue;
    waiting.push_back(
        {hold.digest, hold.created_at, hold.reason, static_cast<std::int64_t>(hold.removals)});
  }
  return waiting;
}

std::vector<ExpiringGrants> TakeFirst(std::vector<ExpiringGrants> expiring) {
  if (expiring.size() > kShown) expiring.resize(kShown);
  return expiring;
}

/// The newest, newest first.
Expected<std::vector<EventLine>> NewestEvents(const store::ReportReader& store) {
  store::EventFilter filter;
  filter.limit = kShown;
  auto report = EventsReport(store, filter);
  if (!report) return Fail(report.error());
  std::reverse(report->events.begin(), report->events.end());
  return std::move(report->events);
}

}  // namespace

Expected<Overview> OverviewReport(const store::ReportReader& store, WallTime now) {
  KeptReports nothing;
  return OverviewReport(store, now, nothing);
}

Expected<Overview> OverviewReport(const store::ReportReader& store, WallTime now,
                                  KeptReports& kept) {
  const auto resources =
      kept.resources.Get(store, now, "", [&store] { return ReadResourceFront(store); });
  if (!resources) return Fail(resources.error());
  const DriftScope scope{now, now - kRecentlyCorrected};
  const auto drift = GetDriftFront(kept.drift, store, scope);
  if (!drift) return Fail(drift.error());
  const auto places = kept.places.Get(store, now, "", [&store] { return ReadPlaces(store); });
  if (!places) return Fail(places.error());
  const auto guard = GuardReport(store);
  if (!guard) return Fail(guard.error());
  const auto problems = store.CountProblems();
  if (!problems) return Fail(problems.error());
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  auto events = NewestEvents(store);
  if (!events) return Fail(events.error());
  Overview overview;
  overview.generated_at = std::min({resources->as_of, drift->as_of, places->as_of});
  overview.resources = resources->answer->counts;
  overview.drift = drift->answer->head.summary;
  overview.guard = CountsOfGuard(*guard);
  overview.problems = CountsOfProblems(*problems);
  if (const auto& last = *generation) {
    overview.generation = GenerationLine{last->id, last->time, last->files, last->manifests};
  }
  overview.attention = resources->answer->attention;
  overview.events = std::move(*events);
  overview.causes = resources->answer->causes;
  overview.holds = WaitingAmong(*guard);
  overview.places = places->answer->first;
  overview.place_count = places->answer->total;
  overview.most_undeclared = places->answer->most_undeclared;
  overview.expiring = TakeFirst(drift->answer->head.expiring);
  return overview;
}

}  // namespace bindery::report
