#pragma once

#include <vector>

#include "cel/evaluation/time.h"

namespace bindery::cel {

/// A set of moments, as intervals that neither overlap nor touch, ascending.
class TimeSet {
 public:
  /// From `begin` on, up to but not with `end`.
  struct Interval {
    Timestamp begin;
    Timestamp end;
    bool operator==(const Interval&) const = default;
  };

  /// Before all moments, and behind them.
  [[nodiscard]] static Timestamp Beginning();
  [[nodiscard]] static Timestamp End();

  [[nodiscard]] static TimeSet None() { return {}; }
  [[nodiscard]] static TimeSet All() { return Between(Beginning(), End()); }
  /// Nothing when `begin` is after `end`.
  [[nodiscard]] static TimeSet Between(Timestamp begin, Timestamp end);

  [[nodiscard]] bool IsNone() const { return intervals_.empty(); }
  [[nodiscard]] bool IsAll() const { return *this == All(); }
  [[nodiscard]] bool Contains(Timestamp time) const;
  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }

  [[nodiscard]] TimeSet And(const TimeSet& other) const;
  [[nodiscard]] TimeSet Or(const TimeSet& other) const;
  [[nodiscard]] TimeSet Not() const;

  bool operator==(const TimeSet&) const = default;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace bindery::cel
