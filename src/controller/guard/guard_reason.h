#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/access/drift.h"
#include "core/base/json.h"

namespace bindery::controller {

/// Why the guard lets removals wait: which limit, and the numbers that were held against it. The
/// words for people are made by InWords().
struct GuardReason {
  enum class Limit {
    kNumber,    ///< guard.maxRemovedGrants
    kGroup,     ///< The limit of some kinds; `name` is its key.
    kFraction,  ///< guard.maxRemovedFraction of the `held` grants.
    kSeverity,  ///< guard.holdSeverity
    kQuestion,  ///< An operator is asked `name`.
    kRecorded,  ///< A record without numbers: `name` is its text.
  };
  /// The removals that the numbers count.
  enum class Scope { kAll, kForeign, kTarget, kProvider };

  Limit limit = Limit::kNumber;
  Scope scope = Scope::kAll;
  std::int64_t count = 0;   ///< Grants that would be removed, `before` among them.
  std::int64_t before = 0;  ///< Of them, those removed within `window` already.
  std::chrono::milliseconds window{0};
  std::int64_t most = 0;  ///< Of kNumber and kGroup: the limit.
  std::int64_t held = 0;  ///< Of kFraction.
  double fraction = 0;    ///< Of kFraction: the limit.
  bool half = false;      ///< Of kFraction: few removals, measured by half of what was held.
  Severity severity = Severity::kLow;  ///< Of kSeverity.
  std::string name = {};               ///< As the limit says; of Scope::kProvider the provider.

  bool operator==(const GuardReason&) const = default;
};

/// The reason counts the removals of all targets: one count is valid at a time.
[[nodiscard]] bool CountsAll(const GuardReason& reason);

/// Adds the reason, unless present.
void AddReason(std::vector<GuardReason>& reasons, const GuardReason& reason);
/// What counts all removals, or may, is told by the count of `now`.
void CountAnew(std::vector<GuardReason>& reasons, const GuardReason& now);

/// "51 grants would be removed, more than guard.maxRemovedGrants (50)"
[[nodiscard]] std::string InWords(const GuardReason& reason);
/// All, separated by "; ".
[[nodiscard]] std::string InWords(const std::vector<GuardReason>& reasons);

/// For the record of a hold.
[[nodiscard]] Json ToJson(const GuardReason& reason);
[[nodiscard]] GuardReason GuardReasonIn(const Json& json);

}  // namespace bindery::controller
