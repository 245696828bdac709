#pragma once

#include <functional>
#include <optional>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "report/reports/drift_front.h"
#include "report/reports/kept_value.h"
#include "report/reports/places.h"
#include "report/reports/reports.h"
#include "report/reports/resource_front.h"
#include "report/values/overview_values.h"

namespace bindery::report {

/// The counts of everything on record, kept until the record changes: the cost of a page of a list
/// and of the overview depends on the content of the page alone. Threads: any.
struct KeptReports {
  Mutex making;
  KeptValue<ResourceFront> resources{making};
  KeptValue<OrderedNames> orders{making};
  KeptValue<DriftFront> drift{making};
  KeptValue<PlaceLines> places{making};
};

/// As OverviewReport, ResourcesReport and DriftReport without kept counts.
[[nodiscard]] Expected<Overview> OverviewReport(const store::ReportReader& store, WallTime now,
                                                KeptReports& kept);
[[nodiscard]] Expected<ListedResources> ResourcesReport(const store::ReportReader& store,
                                                        const ResourceFilter& filter, WallTime now,
                                                        const ResourceList& list,
                                                        KeptReports& kept);
[[nodiscard]] Expected<DriftListing> DriftReport(const store::ReportReader& store,
                                                 const DriftScope& scope, const ListPage& page,
                                                 KeptReports& kept);

/// A page of the first entries of a report, which are kept. Nothing where the page is of others, or
/// what is on record has changed meanwhile.
[[nodiscard]] Expected<std::optional<DriftListing>> FirstOfDrift(const store::ReportReader& store,
                                                                 const DriftScope& scope,
                                                                 const ListPage& page,
                                                                 KeptReports& kept);

/// What reports on the record are made from. All must outlive it.
struct ReportSources {
  const store::ReportReader& store;
  WallTime now;
  KeptReports& kept;
};

using TakeResource = std::function<void(ReportedResource&& resource)>;

/// ResourcesReport without a list in memory: each resource is given to `take` in the place of
/// ListedResources::resources.
[[nodiscard]] Expected<ListedResources> EachResource(const ReportSources& sources,
                                                     const ResourceFilter& filter,
                                                     const ResourceList& list,
                                                     const TakeResource& take);

}  // namespace bindery::report
