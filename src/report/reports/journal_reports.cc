#include <utility>

#include "providers/registry/kinds.h"
#include "report/reports/reports.h"
#include "report/reports/revision_report.h"
#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

/// Fails unless the resource exists, or events of the resource are on record.
Expected<void> CheckIsKnown(const store::ReportReader& store, const std::string& resource) {
  const auto found = FindResource(store, resource);
  if (found) return {};
  store::EventFilter any;
  any.resource = resource;
  any.limit = 1;
  const auto events = store.Events(any);
  if (!events) return Fail(events.error());
  if (events->empty()) return Fail(found.error());
  return {};
}

}  // namespace

Expected<EventList> EventsReport(const store::ReportReader& store,
                                 const store::EventFilter& filter) {
  const auto records = store.Events(filter);
  if (!records) return Fail(records.error());
  if (records->empty() && !filter.resource.empty()) {
    if (auto known = CheckIsKnown(store, filter.resource); !known) return Fail(known.error());
  }
  EventList list;
  for (const auto& [id, event] : *records) list.events.push_back({event, id});
  return list;
}

Expected<TargetHistory> HistoryReport(const store::ReportReader& store, const std::string& name) {
  const auto resource = FindResource(store, name);
  if (!resource) return Fail(resource.error());
  const auto records = store.Revisions(resource->target, true);
  if (!records) return Fail(records.error());
  TargetHistory history = {resource->name, resource->token.kind, resource->target.name, {}, {}};
  const store::RevisionRecord* before = nullptr;
  for (const store::RevisionRecord& record : *records) {
    history.revisions.push_back({LineOfRevision(record, before), ObjectFromText(record.policy)});
    before = &record;
  }
  if (providers::IsLookup(resource->token)) {
    history.note = resource->name +
                   " is a lookup: nothing is written for it, and no revisions "
                   "are kept";
  }
  return history;
}

}  // namespace bindery::report
