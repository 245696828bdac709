#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/access/drift.h"
#include "core/access/target.h"
#include "report/reports/drift_context.h"
#include "report/reports/reports.h"
#include "report/values/drift_document.h"
#include "store/ports/records.h"

namespace bindery::report {

/// Compares a difference with the last report; nothing for a difference that had ended before.
/// Times are compared as shown, in milliseconds.
[[nodiscard]] std::optional<DriftChange> FindChange(const store::DriftRecord& record,
                                                    const DriftScope& scope);

/// The totals of a report's differences, and the order of the differences.
class Tally {
 public:
  /// Notes in the context which targets differ. Both must outlive it.
  Tally(const DriftScope& scope, DriftContext& context) : scope_(scope), context_(context) {}

  void Take(const store::DriftRecord& record);

  [[nodiscard]] DriftSummary Summary() const;

  /// What was taken, in the order of DriftDocument::entries().
  [[nodiscard]] DriftDocument::Entries InOrder() &&;

 private:
  /// The place of a target that an entry is about.
  std::uint32_t Locate(const Target& target);

  const DriftScope& scope_;
  DriftContext& context_;
  std::int64_t notes_ = 0;                     ///< Notes that stand.
  std::map<DriftState, std::int64_t> states_;  ///< kAccepted among them, which is nowhere else.
  std::int64_t just_in_time_ = 0;              ///< Access that is there now; it is nowhere else.
  std::map<Severity, std::int64_t> unresolved_;
  std::map<DriftCause, std::int64_t> causes_;  ///< Of what is current.
  std::map<DriftChange, std::int64_t> changes_;
  DriftDocument::Entries entries_;
};

}  // namespace bindery::report
