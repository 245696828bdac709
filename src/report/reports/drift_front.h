#pragma once

#include <cstddef>
#include <string>

#include "core/base/expected.h"
#include "report/reports/kept_value.h"
#include "report/reports/reports.h"
#include "report/values/drift_document.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The head of a drift report, and the first of its entries. Without `unmanaged`: scans change no
/// content that a kept front depends on.
struct DriftFront {
  DriftHead head;
  DriftDocument::Entries first;
  std::size_t total = 0;  ///< Entries.

  /// Usually: what is accepted, noted, failing and expiring is in the head one by one.
  [[nodiscard]] bool IsSmall() const;
};

/// Goes through all differences, resources and targets.
[[nodiscard]] Expected<DriftFront> ReadDriftFront(const store::ReportReader& store,
                                                  const DriftScope& scope);

/// A listing without items: the head as of its time, with what is unmanaged now.
[[nodiscard]] DriftListing MakeListing(const KeptAnswer<DriftFront>& front, const DriftScope& scope,
                                       const ListSlice& slice);

/// What a report depends on besides the store and the time.
[[nodiscard]] std::string MakeQuestion(const DriftScope& scope);

/// The kept front of the scope, or else ReadDriftFront(). The store must outlive `kept`.
[[nodiscard]] Expected<KeptAnswer<DriftFront>> GetDriftFront(KeptValue<DriftFront>& kept,
                                                             const store::ReportReader& store,
                                                             const DriftScope& scope);

}  // namespace bindery::report
