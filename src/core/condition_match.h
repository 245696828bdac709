#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/clock.h"
#include "core/grant.h"

namespace bindery {

/// When a condition holds for the last time; nothing: it does not end, or that cannot be told.
using EndOfCondition = std::optional<WallTime> (*)(const Condition& condition);

/// Which conditions a rule is about. What is empty or not set does not restrict; the texts are
/// patterns with `*` and `?`, and capitals do not matter. One that restricts fits no grant without
/// a condition.
struct ConditionMatch {
  std::string title = {};
  std::string expression = {};
  /// It ends within the time from now, or has ended.
  std::chrono::milliseconds ends_within{0};  ///< 0: does not restrict.

  [[nodiscard]] bool Restricts() const;
  /// `now`: the latest that it can be.
  [[nodiscard]] bool Fits(const std::optional<Condition>& condition, WallTime now,
                          EndOfCondition end_of) const;

  bool operator==(const ConditionMatch&) const = default;
};

}  // namespace bindery
