#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "report/codec/list_slice.h"
#include "report/values/drift_document.h"
#include "report/values/drift_values.h"
#include "report/values/event_values.h"
#include "report/values/guard_values.h"
#include "report/values/replica_values.h"
#include "report/values/report_scopes.h"
#include "report/values/resource_values.h"
#include "report/values/revision_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

class ConditionJudge;

// What `bindery … -o json` prints and /api/v1 answers. Everything is read from the store; nothing
// here asks a clock or writes. Times are RFC 3339 in UTC, null if none exists. Errors are the
// store's, unless said otherwise.

/// Every resource on record that the filter lets through, by name, also those whose manifest is not
/// in force (RoleConflict, ManifestInvalid, …), and the manifest problems of the last scan: all
/// without a filter, else those of the resources listed. Time bounds are those at `now`. With a
/// limit also the needs of a page: the number of resources, and the facets.
[[nodiscard]] Expected<ListedResources> ResourcesReport(const store::ReportReader& store,
                                                        const ResourceFilter& filter, WallTime now,
                                                        const ResourceList& list = {});

/// The report of one resource, whose target was last read at `observed_at`; WallTime{}: never. Time
/// bounds are those at the time of the judge.
[[nodiscard]] ReportedResource ResourceReport(const store::ResourceRecord& record,
                                              WallTime observed_at, ConditionJudge& judge);

/// The resource of the name. kNotFound names the nearest existing resource.
[[nodiscard]] Expected<store::ResourceRecord> FindResource(const store::ReportReader& store,
                                                           const std::string& name);

/// Differences, corrections, failures and coming ends. In the order of
/// DriftDocument::entries(). For many items, ReadDriftDocument gives the same without holding
/// the items in memory.
[[nodiscard]] Expected<DriftListing> DriftReport(const store::ReportReader& store,
                                                 const DriftScope& scope,
                                                 const ListPage& page = {});

/// The report that DriftReport gives. `store` must outlive the object.
[[nodiscard]] Expected<std::unique_ptr<DriftDocument>> ReadDriftDocument(
    const store::ReportReader& store, const DriftScope& scope);

/// The JSON Schema of a drift report.
[[nodiscard]] Json DriftReportSchema();

/// The matching events. kNotFound as FindResource, unless events of the resource are on record.
[[nodiscard]] Expected<EventList> EventsReport(const store::ReportReader& store,
                                               const store::EventFilter& filter);

/// An order of events; of times the last comes first, of equal events the newest.
enum class EventOrder { kTime, kReason, kAbout, kMessage, kActor };
struct EventSort {
  EventOrder order = EventOrder::kTime;
  bool descending = false;  ///< The other way round.
};

/// A page of the events in that order. Goes through all events of the filter, but for its limit,
/// and holds little more than those up to the end of the page.
[[nodiscard]] Expected<EventList> SortedEvents(const store::ReportReader& store,
                                               store::EventFilter filter, const EventSort& sort,
                                               const ListPage& page);

/// kNotFound as FindResource.
[[nodiscard]] Expected<TargetHistory> HistoryReport(const store::ReportReader& store,
                                                    const std::string& name);

/// The daemons that share the store; none for a store in a file.
[[nodiscard]] Expected<ReplicaList> ReplicasReport(const store::ReportReader& store);

/// The removals the guard withholds.
[[nodiscard]] Expected<HoldList> GuardReport(const store::ReportReader& store,
                                             Ended ended = Ended::kLeaveOut);

}  // namespace bindery::report
