#pragma once

#include <vector>

#include "core/base/expected.h"
#include "report/access/condition_judge.h"
#include "report/reports/drift_context.h"
#include "report/reports/reports.h"
#include "report/values/attributions.h"
#include "report/values/drift_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// Makes items of a drift report of what is on record. All given parts outlive it.
class DriftItemMaker {
 public:
  DriftItemMaker(const store::ReportReader& store, const DriftScope& scope,
                 const DriftContext& context)
      : scope_(scope),
        context_(context),
        judge_(ConditionJudge::At(scope.now)),
        attributions_(store, scope.attribution) {}

  [[nodiscard]] DriftReportItem Make(const store::DriftEntry& entry);

 private:
  const DriftScope& scope_;
  const DriftContext& context_;
  ConditionJudge judge_;
  Attributions attributions_;
};

/// The items of the entries, in this order. Reads the context of their targets alone.
[[nodiscard]] Expected<std::vector<DriftReportItem>> ListItems(
    const store::ReportReader& store, const DriftScope& scope,
    const std::vector<store::DriftEntry>& entries);

}  // namespace bindery::report
