#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/drift.h"
#include "core/grant.h"
#include "core/json.h"
#include "report/attributions.h"
#include "report/source_line.h"
#include "report/time_bounds.h"

namespace bindery {

/// The state of a difference compared with the last report.
enum class DriftChange {
  kNone,  ///< It was over by then.
  kNew,
  kGone,
  kStill,
};
[[nodiscard]] std::string_view ToString(DriftChange change);  ///< "", "new", "gone", "still"

/// A difference as a report tells of it. Times that are not set are not known, or yet to come.
struct DriftReportItem {
  std::int64_t id = 0;
  DriftClass drift_class = DriftClass::kMissing;
  Severity severity = Severity::kLow;
  DriftState state = DriftState::kOpen;
  DriftCause cause = DriftCause::kUnknown;
  std::string target;
  std::string kind;
  std::string resource;              ///< Empty: no manifest declares it.
  std::optional<SourceLine> source;  ///< Where that is.
  std::optional<Grant> grant;        ///< Not set: it concerns the target, or an output of a lookup.
  GrantWords words;                  ///< Of the grant.
  std::string field;                 ///< Of kLookupChanged: the output.
  std::string desired;
  std::string observed;
  std::optional<WallTime> first_seen;
  std::optional<WallTime> last_seen;
  std::optional<WallTime> resolved_at;
  std::string resolved_by;
  std::string action;  ///< What was done about it, or will be, in words.
  DriftChange change = DriftChange::kNone;
  std::optional<report::TimeBounds> time_bounds;   ///< Of the grant's condition.
  std::optional<Acceptance> acceptance;            ///< Of kAccepted.
  std::optional<report::Attribution> attribution;  ///< Set where reports say who made differences.
};

/// A resource that cannot be kept as declared.
struct FailingResource {
  std::string resource;
  std::string target;
  std::string reason;
  std::string message;
  std::optional<SourceLine> source;
};

/// Declared grants that end soon by themselves.
struct ExpiringGrants {
  std::string resource;
  std::string target;
  std::string role;
  std::int64_t grants = 0;
  cel::Timestamp ends_at;
  std::optional<SourceLine> source;
};

/// What a report counts.
struct DriftSummary {
  std::int64_t targets = 0;
  std::int64_t grants = 0;
  std::int64_t open = 0;
  std::int64_t corrected = 0;
  std::int64_t held = 0;
  std::int64_t accepted = 0;
  std::int64_t in_sync = 0;  ///< Targets.
  std::int64_t drifted = 0;  ///< Targets.
  std::int64_t failing = 0;
  std::int64_t expiring = 0;
  std::array<std::int64_t, kAllSeverities.size()> by_severity = {};  ///< Of current ones.
  std::array<std::int64_t, kAllDriftCauses.size()> by_cause = {};    ///< Of current ones.
  std::int64_t appeared = 0;  ///< Since the last report; so are the next two.
  std::int64_t gone = 0;
  std::int64_t still = 0;

  [[nodiscard]] std::int64_t Of(Severity severity) const {
    return by_severity.at(static_cast<std::size_t>(severity));
  }
  [[nodiscard]] std::int64_t Of(DriftCause cause) const {
    return by_cause.at(static_cast<std::size_t>(cause));
  }
  /// The current differences.
  [[nodiscard]] std::int64_t Standing() const { return open + held; }
};

/// A report but for its items.
struct DriftHead {
  WallTime generated_at;
  std::optional<WallTime> previous_at;  ///< Of the last report.
  Severity least = Severity::kLow;      ///< What is below is left out.
  DriftSummary summary;
  std::vector<DriftReportItem> accepted;  ///< What is drift again the soonest first.
  std::vector<FailingResource> failing;   ///< By resource.
  std::vector<ExpiringGrants> expiring;   ///< The first to end first.
};

/// The worst first.
inline constexpr std::array kWorstFirst = {Severity::kCritical, Severity::kHigh, Severity::kMedium,
                                           Severity::kLow};

// As docs/drift-report.schema.json has them.

[[nodiscard]] Json ToJson(const DriftReportItem& item);
[[nodiscard]] Json ToJson(const DriftSummary& summary);
/// With an empty array "items".
[[nodiscard]] Json ToJson(const DriftHead& head);

}  // namespace bindery
