#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/access/status.h"
#include "core/base/expected.h"
#include "report/codec/list_slice.h"
#include "report/values/target_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// Of differences the worst comes first, of figures the greatest, of times the last.
enum class TargetOrder {
  kKind,
  kTarget,
  kProvider,
  kDifferences,
  kUndeclared,
  kResources,
  kGrants,
  kRead,
};

/// The targets to list, and their order; an unset field does not restrict.
struct TargetQuery {
  std::string text = {};  ///< Part of a name, a kind or a provider, in any case.
  std::string kind = {};
  /// A target, what its name begins with, or its place, as TargetPlaces: "projects/acme".
  std::string within = {};
  bool differing = false;   ///< Only those with differences.
  bool undeclared = false;  ///< Only those with undeclared grants.
  TargetOrder order = TargetOrder::kKind;
  bool descending = false;  ///< The other way round.
};

/// The targets on record.
[[nodiscard]] Expected<TargetList> TargetsReport(const store::ReportReader& store,
                                                 const TargetQuery& query, const ListPage& page);

/// What is known of a target besides its own record.
struct TargetStanding {
  std::uint32_t resources = 0;
  std::uint32_t open = 0;
  std::uint32_t held = 0;
  std::optional<Severity> worst;

  void Take(const store::DriftRecord& record);
};

[[nodiscard]] TargetLine LineOfTarget(const store::TargetRecord& record,
                                      const TargetStanding& standing);

/// TargetsReport without a list: each target of the page is given to `take`, in order. Gives the
/// number of targets that the query lets through.
[[nodiscard]] Expected<std::size_t> EachTargetLine(const store::ReportReader& store,
                                                   const TargetQuery& query, const ListPage& page,
                                                   const std::function<void(TargetLine&&)>& take);

}  // namespace bindery::report
