#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/clock.h"
#include "core/drift.h"
#include "core/expected.h"
#include "core/json.h"
#include "core/label_selector.h"
#include "core/mode.h"
#include "core/status.h"
#include "core/type_token.h"
#include "report/drift_values.h"
#include "report/event_values.h"
#include "report/guard_values.h"
#include "report/list_slice.h"
#include "report/replica_values.h"
#include "report/resource_values.h"
#include "report/revision_values.h"
#include "store/report_reader.h"

namespace bindery {

// What `bindery … -o json` prints and /api/v1 answers. Everything is read from the store; nothing
// here asks a clock or writes. Times are RFC 3339 in UTC, null if none exists. Errors are the
// store's, unless said otherwise.

/// The resources to list; an unset field does not restrict.
struct ResourceFilter {
  /// From ParseTypeToken: without an apiVersion it matches the kind alone, in any case.
  std::optional<TypeToken> kind;
  std::string name;
  LabelSelector labels;
  bool not_ready = false;
  std::optional<ResourceState> state = {};
  std::string text = {};  ///< Part of a name, a target, a file, a reason or a label, in any case.

  [[nodiscard]] bool empty() const {
    return !kind && name.empty() && labels.empty() && !not_ready && !state && text.empty();
  }
};

enum class ResourceOrder { kName, kKind, kTarget, kState, kChanged };

struct ResourceList {
  ResourceOrder order = ResourceOrder::kName;  ///< Of kState the worst, of kChanged the last first.
  bool descending = false;                     ///< The other way round.
  ListPage page = {};
};

/// Every resource on record that the filter lets through, by name, also those whose manifest is not
/// in force (RoleConflict, ManifestInvalid, …), and the manifest problems of the last scan: all
/// without a filter, else those of the resources listed. Time bounds are those at `now`. With a
/// limit also the needs of a page: the number of resources, and the facets.
[[nodiscard]] Expected<ListedResources> ResourcesReport(const ReportReader& store,
                                                        const ResourceFilter& filter, WallTime now,
                                                        const ResourceList& list = {});

/// The resource of the name. kNotFound names the nearest existing resource.
[[nodiscard]] Expected<ResourceRecord> FindResource(const ReportReader& store,
                                                    const std::string& name);

/// For how long a corrected difference stays in a drift report by default.
inline constexpr std::chrono::hours kRecentlyCorrected{24};

/// The differences of a drift report.
struct DriftScope {
  WallTime now;
  /// Also differences corrected since; none when not set.
  std::optional<WallTime> resolved_since;
  /// The time of the last report: new, gone and remaining differences are counted from there.
  std::optional<WallTime> previous = {};
  Severity least = Severity::kLow;  ///< What is below is left out, of the counts too.
  Mode mode = Mode::kEnforce;       ///< Of resources that name none themselves.
  /// Declared grants that end by themselves within the time count as expiring.
  std::chrono::milliseconds expiring_within = std::chrono::hours(7 * 24);
  bool attribution = false;  ///< Audit logs are read: say of each difference who made it.
  /// Current foreign drift comes first, whatever its severity.
  bool foreign_first = false;
};

/// Differences, corrections, failures and coming ends. In the order of
/// DriftDocument::entries(). For many items, ReadDriftDocument gives the same without holding
/// the items in memory.
[[nodiscard]] Expected<DriftListing> DriftReport(const ReportReader& store, const DriftScope& scope,
                                                 const ListPage& page = {});

/// The JSON Schema of a drift report.
[[nodiscard]] Json DriftReportSchema();

/// The resource cannot be kept as declared, and not because somebody asked for that.
[[nodiscard]] bool IsFailure(const ResourceStatus& status);

/// The matching events since, among the newest.
[[nodiscard]] Expected<EventList> EventsReport(const ReportReader& store, const EventFilter& filter,
                                               std::optional<WallTime> since = std::nullopt);

/// kNotFound as FindResource.
[[nodiscard]] Expected<TargetHistory> HistoryReport(const ReportReader& store,
                                                    const std::string& name);

/// The daemons that share the store; none for a store in a file.
[[nodiscard]] Expected<ReplicaList> ReplicasReport(const ReportReader& store);

/// Whether ended holds are listed too.
enum class Ended {
  kLeaveOut,  ///< Only those that are open, and those that are approved but not carried out yet.
  kInclude,
};

/// The removals the guard withholds.
[[nodiscard]] Expected<HoldList> GuardReport(const ReportReader& store,
                                             Ended ended = Ended::kLeaveOut);

}  // namespace bindery
