#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "providers/registry/kinds.h"
#include "report/codec/list_selection.h"
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

/// An event, and what it is sorted by.
struct EventPlace {
  std::string text;
  std::int64_t newest = 0;  ///< Least for the newest.
  EventLine line;

  [[nodiscard]] bool IsBefore(const EventPlace& other) const {
    return std::tie(text, newest) < std::tie(other.text, other.newest);
  }
};

EventPlace MakePlace(std::int64_t id, Event event, EventOrder order) {
  EventPlace place{"", -id, {std::move(event), id}};
  switch (order) {
    case EventOrder::kReason:
      place.text = place.line.reason;
      break;
    case EventOrder::kAbout:
      place.text = place.line.resource.empty() ? place.line.target : place.line.resource;
      break;
    case EventOrder::kMessage:
      place.text = place.line.message;
      break;
    case EventOrder::kActor:
      place.text = place.line.actor;
      break;
    case EventOrder::kTime:
      break;
  }
  return place;
}

}  // namespace

Expected<EventList> SortedEvents(const store::ReportReader& store, store::EventFilter filter,
                                 const EventSort& sort, const ListPage& page) {
  constexpr std::size_t kAtOnce = 1'000;
  filter.limit = kAtOnce;
  filter.oldest = false;
  ListSelection<EventPlace> selection(page, [&](const EventPlace& a, const EventPlace& b) {
    return sort.descending ? b.IsBefore(a) : a.IsBefore(b);
  });
  while (true) {
    auto part = store.Events(filter);
    if (!part) return Fail(part.error());
    const std::size_t count = part->size();
    if (count > 0) filter.before_id = part->front().first;
    for (auto& [id, event] : *part) {
      selection.Take(MakePlace(id, std::move(event), sort.order));
    }
    if (count < kAtOnce) break;
  }
  EventList list;
  list.total = selection.total();
  list.offset = page.offset;
  for (EventPlace& place : selection.Page()) list.events.push_back(std::move(place.line));
  return list;
}

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
