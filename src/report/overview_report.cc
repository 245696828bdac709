#include "report/overview_report.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/time_text.h"
#include "report/json_fields.h"

namespace bindery {
namespace {

constexpr std::size_t kShown = 10;

Json StandJson(const ResourceRecord& record) {
  return {{"name", record.name},
          {"kind", record.token.kind},
          {"state", ToString(record.status.state)},
          {"reason", record.status.reason},
          {"message", record.status.message},
          {"since", report::TimeOrNull(record.status_since)}};
}

/// The first that are not ready, worst first.
Json AttentionJson(const std::vector<ResourceRecord>& records) {
  std::vector<const ResourceRecord*> wanting;
  for (const ResourceRecord& record : records) {
    if (record.status.state != ResourceState::kReady) wanting.push_back(&record);
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kShown, wanting.size()));
  std::partial_sort(wanting.begin(), wanting.begin() + shown, wanting.end(),
                    [](const ResourceRecord* a, const ResourceRecord* b) {
                      if (a->status.state != b->status.state) {
                        return a->status.state > b->status.state;
                      }
                      return a->name < b->name;
                    });
  Json list = Json::array();
  for (auto it = wanting.begin(); it != wanting.begin() + shown; ++it) {
    list.push_back(StandJson(**it));
  }
  return list;
}

Json CountsJson(const std::vector<ResourceRecord>& records) {
  std::map<ResourceState, std::size_t> states;
  for (const ResourceRecord& record : records) ++states[record.status.state];
  return {{"total", records.size()},
          {"ready", states[ResourceState::kReady]},
          {"reconciling", states[ResourceState::kReconciling]},
          {"stalled", states[ResourceState::kStalled]}};
}

Json GuardJson(const Json& guard) {
  std::int64_t removals = 0;
  std::size_t open = 0;
  for (const Json& hold : guard.at("holds")) {
    if (hold.at("state") != "open") continue;
    ++open;
    removals += report::IntMember(hold, "removals");
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
Expected<Json> NewestEvents(const Store& store) {
  EventFilter filter;
  filter.limit = kShown;
  auto report = EventsReport(store, filter);
  if (!report) return Fail(report.error());
  Json events = std::move((*report)["events"]);
  std::reverse(events.begin(), events.end());
  return events;
}

}  // namespace

Expected<Json> OverviewReport(const Store& store, WallTime now) {
  const auto resources = store.Resources();
  if (!resources) return Fail(resources.error());
  auto drift = DriftReport(store, now, std::nullopt);
  if (!drift) return Fail(drift.error());
  const auto guard = GuardReport(store);
  if (!guard) return Fail(guard.error());
  ListPage none;
  none.limit = 0;
  auto problems = ProblemsReport(store, {}, none);
  if (!problems) return Fail(problems.error());
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  auto events = NewestEvents(store);
  if (!events) return Fail(events.error());
  return Json{{"generatedAt", FormatRfc3339(now)},
              {"resources", CountsJson(*resources)},
              {"drift", std::move((*drift)["summary"])},
              {"guard", GuardJson(*guard)},
              {"problems", std::move((*problems)["summary"])},
              {"generation", GenerationJson(*generation)},
              {"attention", AttentionJson(*resources)},
              {"events", std::move(*events)}};
}

}  // namespace bindery
