#pragma once

#include <optional>
#include <vector>

#include "cel/evaluation/time.h"
#include "cel/syntax/ast.h"
#include "core/base/clock.h"

namespace bindery::cel {

/// The moments from `from` on and before `until`; unbounded where one is missing.
struct TimeRange {
  std::optional<Timestamp> from;
  std::optional<Timestamp> until;
  bool operator==(const TimeRange&) const = default;
};

[[nodiscard]] Timestamp ToCelTimestamp(WallTime time);
/// The nearest there is: a WallTime does not reach as far.
[[nodiscard]] WallTime ToWallTime(Timestamp time);

/// The state of a condition at a time.
enum class TimePhase {
  kUnbounded,  ///< No moment rules it out.
  kWithin,     ///< It can hold now …
  kBefore,     ///< … not yet …
  kAfter,      ///< … no more …
  kNever,      ///< … or at no moment at all.
};

/// The moments of `request.time` at which a condition can hold. Whatever the rest of the
/// condition: outside these moments it is false (or has no value) for sure, within them it need
/// not be true.
class TimeBounds {
 public:
  /// Understands comparisons of `request.time`, give or take durations, and of its year, with what
  /// can be worked out without it, combined by `&&`, `||`, `!` and `?:`.
  [[nodiscard]] static TimeBounds Of(const Expr& condition);

  /// In order, without overlap.
  [[nodiscard]] const std::vector<TimeRange>& ranges() const { return ranges_; }

  [[nodiscard]] TimePhase PhaseAt(Timestamp now) const;
  /// When it can hold next, of kBefore; nothing otherwise.
  [[nodiscard]] std::optional<Timestamp> StartsAfter(Timestamp now) const;
  /// The end: for kWithin of the present range, for kAfter of the last range; nothing otherwise,
  /// and without an end.
  [[nodiscard]] std::optional<Timestamp> EndsAfter(Timestamp now) const;

 private:
  explicit TimeBounds(std::vector<TimeRange> ranges) : ranges_(std::move(ranges)) {}
  std::vector<TimeRange> ranges_;
};

}  // namespace bindery::cel
