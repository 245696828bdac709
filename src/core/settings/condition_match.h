#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/access/grant.h"
#include "core/base/clock.h"

namespace bindery {

/// The last moment of a condition; nothing: no end, or unknown.
using EndOfCondition = std::optional<WallTime> (*)(const Condition& condition);

/// The conditions of a rule. An empty or unset field does not restrict; the texts are patterns
/// with `*` and `?`, and case is ignored. A restricting rule fits no grant without a
/// condition.
struct ConditionMatch {
  std::string title = {};
  std::string expression = {};
  /// The condition ends within the time from now, or has ended.
  std::chrono::milliseconds ends_within{0};  ///< 0: does not restrict.

  [[nodiscard]] bool Restricts() const;
  /// `now`: the latest possible time.
  [[nodiscard]] bool Fits(const std::optional<Condition>& condition, WallTime now,
                          EndOfCondition end_of) const;

  bool operator==(const ConditionMatch&) const = default;
};

}  // namespace bindery
