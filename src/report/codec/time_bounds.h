#pragma once

#include <optional>
#include <string>

#include "cel/evaluation/time.h"
#include "cel/expiry/time_bounds.h"
#include "core/base/json.h"

namespace bindery::report {

/// The state of a condition with time bounds at a time: never kUnbounded.
struct TimeBounds {
  /// As report::UnknownWord().
  [[nodiscard]] static std::string UnknownWord(const Json& json);

  cel::TimePhase phase = cel::TimePhase::kWithin;
  std::optional<cel::Timestamp> starts_at;
  std::optional<cel::Timestamp> ends_at;
};

/// {"state": "active" | "pending" | "expired" | "never", "startsAt", "endsAt"}, the times null if
/// none exists.
[[nodiscard]] Json ToJson(const TimeBounds& bounds);

/// Reads the bounds; false when `json` is no such object.
bool ReadJson(const Json& json, TimeBounds& bounds);

}  // namespace bindery::report
