#include <utility>

#include "core/time_text.h"
#include "providers/kinds.h"
#include "report/json_fields.h"
#include "report/reports.h"
#include "report/revision_report.h"

namespace bindery {

Json EventJson(std::int64_t id, const Event& event) {
  Json json = {{"id", id},
               {"time", report::TimeOrNull(event.time)},
               {"type", ToString(event.type)},
               {"reason", event.reason},
               {"resource", event.resource},
               {"target", event.target},
               {"message", event.message},
               {"actor", event.actor}};
  if (event.severity) json["severity"] = ToString(*event.severity);
  return json;
}

Expected<Json> EventsReport(const ReportReader& store, const EventFilter& filter,
                            std::optional<WallTime> since) {
  const auto records = store.Events(filter);
  if (!records) return Fail(records.error());
  if (records->empty() && !filter.resource.empty()) {
    // Nothing happened to it, unless there is no such thing.
    if (auto known = FindResource(store, filter.resource); !known) return Fail(known.error());
  }
  Json events = Json::array();
  for (const auto& [id, event] : *records) {
    if (since && event.time < *since) continue;
    events.push_back(EventJson(id, event));
  }
  return Json{{"events", std::move(events)}};
}

Expected<Json> HistoryReport(const ReportReader& store, const std::string& name) {
  const auto resource = FindResource(store, name);
  if (!resource) return Fail(resource.error());
  const auto records = store.Revisions(resource->target, true);
  if (!records) return Fail(records.error());
  Json revisions = Json::array();
  const RevisionRecord* before = nullptr;
  for (const RevisionRecord& record : *records) {
    revisions.push_back({{"id", record.id},
                         {"time", report::TimeOrNull(record.time)},
                         {"origin", ToString(record.origin)},
                         {"etag", record.etag},
                         {"digest", record.digest},
                         {"policy", report::ObjectFromText(record.policy)},
                         {"actor", record.actor},
                         {"changes", RevisionChanges(record, before)}});
    before = &record;
  }
  Json report = {{"name", resource->name},
                 {"kind", resource->token.kind},
                 {"target", resource->target.name},
                 {"revisions", std::move(revisions)}};
  if (IsLookup(resource->token)) {
    report["note"] = resource->name +
                     " is a lookup: nothing is written for it, and no revisions "
                     "are kept";
  }
  return report;
}

}  // namespace bindery
