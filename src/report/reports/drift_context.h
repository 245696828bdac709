#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/access/target.h"
#include "core/access/target_table.h"
#include "core/base/expected.h"
#include "core/base/interned.h"
#include "report/reports/reports.h"
#include "report/values/drift_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The context of a report's differences: the state of targets, failures, ends.
struct DriftContext {
  struct Known {
    bool on_record = false;  ///< Or a resource in force stands on it.
    bool differs = false;    ///< An entry of the report is about it.
    bool drifted = false;    ///< Some difference of it stands.
    bool observed = false;
    bool failing = false;
    bool enforced = false;   ///< Some resource on it may be written for.
    bool suspended = false;  ///< Some resource on it is.
    Interned failure;        ///< Why what is in force on it cannot be kept; empty when it can.
  };

  TargetTable<Known> targets;
  std::int64_t grants = 0;
  std::int64_t undeclared = 0;  ///< Of the grants, those that no manifest declares.
  std::vector<FailingResource> failing;
  std::vector<ExpiringGrants> expiring;
  /// The digest to approve; empty when nothing is held, or more than one thing.
  std::string hold;

  [[nodiscard]] static Expected<DriftContext> Read(const store::ReportReader& store,
                                                   const DriftScope& scope);

  /// Of these targets alone, and without what ends: for what is done about their differences.
  [[nodiscard]] static Expected<DriftContext> ReadOn(const store::ReportReader& store,
                                                     const DriftScope& scope,
                                                     const std::set<Target>& targets);

  /// Declared grants that end soon by themselves.
  [[nodiscard]] std::int64_t CountExpiring() const;
};

/// What was done about a difference, or will be, in words.
[[nodiscard]] std::string ActionOn(const store::DriftEntry& entry, const DriftContext& context);

}  // namespace bindery::report
