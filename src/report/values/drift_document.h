#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/access/drift.h"
#include "core/base/expected.h"
#include "report/values/drift_values.h"
#include "report/values/report_scopes.h"

namespace bindery::report {

struct UnlistedDrift;

/// A drift report that makes its items on demand, one after the other: all items together may be
/// more than memory should hold. All readings show the differences of the same moment. During the
/// lifetime of the object the store's write-ahead log only grows.
class DriftDocument {
 public:
  /// The known part of an item before it is made.
  struct Entry {
    std::int64_t id = 0;
    std::int64_t resolved_at = 0;  ///< Milliseconds since 1970; 0 while it is current.
    std::uint32_t target = 0;      ///< Equal for items of one kind and name of target.
    Severity severity = Severity::kLow;
    DriftCause cause = DriftCause::kUnknown;
    bool just_in_time = false;  ///< No difference: neither current nor corrected.

    [[nodiscard]] bool Stands() const { return resolved_at == 0 && !just_in_time; }
    [[nodiscard]] bool IsForeign() const { return Stands() && cause == DriftCause::kForeign; }
  };
  using Entries = std::vector<Entry>;
  using TakeItem = std::function<void(const DriftReportItem& item)>;

  virtual ~DriftDocument() = default;

  [[nodiscard]] virtual const DriftHead& head() const = 0;

  /// Worst first; within a severity, current foreign drift first; then by target. Just-in-time
  /// access last. With DriftScope::foreign_first current foreign drift comes before
  /// everything.
  [[nodiscard]] virtual const Entries& entries() const = 0;

  /// Items name their authors.
  [[nodiscard]] virtual bool attributed() const = 0;

  /// Counts without items: see BudgetedDrift; null if every item is listed.
  [[nodiscard]] virtual const UnlistedDrift* unlisted() const { return nullptr; }

  /// The place of a manifest on the target, for an item without a manifest; nothing if no manifest
  /// names the target.
  [[nodiscard]] virtual std::optional<SourceLine> SourceNear(const std::string& /*kind*/,
                                                             const std::string& /*target*/) {
    return std::nullopt;
  }

  /// Gives `take` the items of the entries, in this order. Errors are the store's.
  [[nodiscard]] virtual Expected<void> Each(const Entries& entries, const TakeItem& take) = 0;
};

}  // namespace bindery::report
