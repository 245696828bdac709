#include "report/overview_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "core/time_text.h"
#include "report/drift_document.h"
#include "report/json_fields.h"

namespace bindery {
namespace {

constexpr std::size_t kShown = 10;

Json AttentionJson(const ResourceRecord& record) {
  return {{"name", record.name},
          {"kind", record.token.kind},
          {"state", ToString(record.status.state)},
          {"reason", record.status.reason},
          {"message", record.status.message},
          {"since", report::TimeOrNull(record.status_since)}};
}

/// Counts the states of resources, one after the other.
class ResourceCounts {
 public:
  void Take(const ResourceRecord& record) {
    ++total_;
    ++states_[record.status.state];
    if (record.status.state == ResourceState::kReady) return;
    // The worst is the greatest of the states.
    std::pair place(-static_cast<int>(record.status.state), record.name);
    if (worst_.size() == kShown && worst_.rbegin()->first < place) return;
    worst_.emplace(std::move(place), AttentionJson(record));
    if (worst_.size() > kShown) worst_.erase(std::prev(worst_.end()));
  }

  [[nodiscard]] Json Counts() {
    return {{"total", total_},
            {"ready", states_[ResourceState::kReady]},
            {"suspended", states_[ResourceState::kSuspended]},
            {"reconciling", states_[ResourceState::kReconciling]},
            {"stalled", states_[ResourceState::kStalled]}};
  }

  /// The first that are not ready, worst first.
  [[nodiscard]] Json Attention() const {
    Json list = Json::array();
    for (const auto& [place, stand] : worst_) list.push_back(stand);
    return list;
  }

 private:
  std::size_t total_ = 0;
  std::map<ResourceState, std::size_t> states_;
  std::map<std::pair<int, std::string>, Json> worst_;
};

Json GuardJson(const HoldList& guard) {
  std::size_t removals = 0;
  std::size_t open = 0;
  for (const HoldLine& hold : guard.holds) {
    if (hold.state != HoldState::kOpen) continue;
    ++open;
    removals += hold.removals;
  }
  return {{"holds", open}, {"removals", removals}};
}

Json GenerationJson(const std::optional<GenerationRecord>& generation) {
  if (!generation) return nullptr;
  return {{"id", generation->id},
          {"time", report::TimeOrNull(generation->time)},
          {"files", generation->files},
          {"manifests", generation->manifests}};
}

/// The newest, newest first.
Expected<Json> NewestEvents(const ReportReader& store) {
  EventFilter filter;
  filter.limit = kShown;
  auto report = EventsReport(store, filter);
  if (!report) return Fail(report.error());
  std::reverse(report->events.begin(), report->events.end());
  return report::JsonOf(report->events);
}

}  // namespace

Expected<Json> OverviewReport(const ReportReader& store, WallTime now) {
  ResourceCounts resources;
  auto read = store.ReadResources([&](ResourceRecord&& record) { resources.Take(record); });
  if (!read) return Fail(read.error());
  const auto drift = ReadDriftDocument(store, DriftScope{now, std::nullopt});
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
  return Json{
      {"generatedAt", FormatRfc3339(now)},         {"resources", resources.Counts()},
      {"drift", ToJson((*drift)->head().summary)}, {"guard", GuardJson(*guard)},
      {"problems", ToJson(problems->summary)},     {"generation", GenerationJson(*generation)},
      {"attention", resources.Attention()},        {"events", std::move(*events)}};
}

}  // namespace bindery
