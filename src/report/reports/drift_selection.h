#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/access/drift.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/target_places.h"
#include "report/codec/list_slice.h"
#include "report/reports/kept_reports.h"
#include "report/reports/reports.h"
#include "report/values/drift_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

enum class DriftOrder {
  kSeverity,  ///< The worst first; of equal ones what stands before what is corrected.
  kPrincipal,
  kRole,
  kTarget,
  kClass,
  kState,
  kResource,
  kFirstSeen,  ///< The last first.
  kWhy,        ///< By the end, the owner and the reason of an acceptance, or the words of a note.
};

/// What of the differences of a DriftScope is listed, and in which order; an unset field does not
/// restrict.
struct DriftQuery {
  std::string text;    ///< Part of a principal, a role, a target or a resource, in any case.
  std::string kind;    ///< Of the target.
  std::string within;  ///< As TargetQuery::within.
  std::shared_ptr<const TargetPlaces> places = {};  ///< Null: `within` goes by names alone.
  std::string principal;                            ///< Whole.
  std::optional<DriftClass> drift_class = {};
  std::optional<DriftState> state = {};
  std::optional<DriftCause> cause = {};
  std::optional<WallTime> first_seen = {};  ///< Since then.
  DriftOrder order = DriftOrder::kSeverity;
  bool descending = false;  ///< The other way round.
  bool ordered = false;     ///< Accepted differences and notes are in this order too.

  [[nodiscard]] bool LetsThrough(const DriftReportItem& item) const;
};

/// What a list of differences is made from. All must outlive it.
struct DriftSources {
  const store::ReportReader& store;
  const DriftScope& scope;
  KeptReports& kept;
};

using TakeDifference = std::function<void(DriftReportItem&& item)>;

/// DriftReport of the differences, accepted differences and notes that the query lets through, in
/// its order; the summary is that of everything. Goes through all differences, and makes items of
/// the page alone.
[[nodiscard]] Expected<DriftListing> SelectedDrift(const store::ReportReader& store,
                                                   const DriftScope& scope, const DriftQuery& query,
                                                   const ListPage& page, KeptReports& kept);

/// The same without a list in memory: each difference is given to `take` in the place of
/// DriftListing::items.
[[nodiscard]] Expected<DriftListing> EachSelectedDrift(const DriftSources& sources,
                                                       const DriftQuery& query,
                                                       const ListPage& page,
                                                       const TakeDifference& take);

}  // namespace bindery::report
