#include "report/overview_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "report/drift_document.h"

namespace bindery {
namespace {

constexpr std::size_t kShown = 10;

AttentionLine AttentionOf(const ResourceRecord& record) {
  return {record.name,          record.token.kind,     record.status.state,
          record.status.reason, record.status.message, record.status_since};
}

/// Counts the states of resources, one after the other.
class ResourceTally {
 public:
  void Take(const ResourceRecord& record) {
    counts_.Take(record.status);
    if (record.status.state == ResourceState::kReady) return;
    // The worst is the greatest of the states.
    std::pair place(-static_cast<int>(record.status.state), record.name);
    if (worst_.size() == kShown && worst_.rbegin()->first < place) return;
    worst_.emplace(std::move(place), AttentionOf(record));
    if (worst_.size() > kShown) worst_.erase(std::prev(worst_.end()));
  }

  [[nodiscard]] const ResourceCounts& counts() const { return counts_; }

  /// The first that are not ready, worst first.
  [[nodiscard]] std::vector<AttentionLine> Attention() const {
    std::vector<AttentionLine> list;
    for (const auto& [place, line] : worst_) list.push_back(line);
    return list;
  }

 private:
  ResourceCounts counts_;
  std::map<std::pair<int, std::string>, AttentionLine> worst_;
};

GuardCounts CountsOfGuard(const HoldList& guard) {
  GuardCounts counts;
  for (const HoldLine& hold : guard.holds) {
    if (hold.state != HoldState::kOpen) continue;
    ++counts.holds;
    counts.removals += static_cast<std::int64_t>(hold.removals);
  }
  return counts;
}

/// The newest, newest first.
Expected<std::vector<EventLine>> NewestEvents(const ReportReader& store) {
  EventFilter filter;
  filter.limit = kShown;
  auto report = EventsReport(store, filter);
  if (!report) return Fail(report.error());
  std::reverse(report->events.begin(), report->events.end());
  return std::move(report->events);
}

}  // namespace

Expected<Overview> OverviewReport(const ReportReader& store, WallTime now) {
  ResourceTally resources;
  auto read = store.ReadResources([&](ResourceRecord&& record) { resources.Take(record); });
  if (!read) return Fail(read.error());
  const auto drift = ReadDriftDocument(store, DriftScope{now, now - kRecentlyCorrected});
  if (!drift) return Fail(drift.error());
  const auto guard = GuardReport(store);
  if (!guard) return Fail(guard.error());
  ListPage none;
  none.limit = 0;
  const auto problems = ProblemsReport(store, {}, none);
  if (!problems) return Fail(problems.error());
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  auto events = NewestEvents(store);
  if (!events) return Fail(events.error());
  Overview overview;
  overview.generated_at = now;
  overview.resources = resources.counts();
  overview.drift = (*drift)->head().summary;
  overview.guard = CountsOfGuard(*guard);
  overview.problems = problems->summary;
  if (const auto& last = *generation) {
    overview.generation = GenerationLine{last->id, last->time, last->files, last->manifests};
  }
  overview.attention = resources.Attention();
  overview.events = std::move(*events);
  return overview;
}

}  // namespace bindery
