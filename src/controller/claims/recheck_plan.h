#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/base/clock.h"

namespace bindery::controller {

/// How often targets may be read again when nothing about them changed.
struct RecheckLimits {
  std::chrono::milliseconds interval{300'000};  ///< The period where nothing else is asked for.
  std::chrono::milliseconds shortest{0};        ///< Of a target that drifts; 0: the interval.
  std::chrono::milliseconds longest{0};  ///< Of one that does not; 0: the interval, or with a
                                         ///< budget what the budget takes.
  double requests_per_minute = 0;        ///< Of all of them together; 0: one each an interval.

  bool operator==(const RecheckLimits&) const = default;
};

/// The memory about a target: its recent drift rate.
struct DriftRate {
  std::uint8_t level = 0;  ///< 0 to kLevels - 1: how many times, give or take.
  MonoTime since{};        ///< When the level last moved.

  static constexpr std::size_t kLevels = 16;
  /// A level is forgotten after so long without drift.
  static constexpr std::chrono::hours kMemory{24};

  void Drifted(MonoTime now);
  void Quiet(MonoTime now);
};

/// Spreads reads over targets so that drift is found as early as can be expected.
///
/// A target of drift rate r, read every T, is out of sync unseen for r*T/2 of the time; reading it
/// costs 1/T. The sum of the first over all targets is least, for a given sum of the second, when
/// every T is proportional to 1/sqrt(r). The rate is taken from the target's habit: level + 0.1
/// times a day, the 0.1 being what is believed of one that never drifted. Periods are then kept
/// within the limits: with one of them alone the interval is the other. Where the longest period
/// cannot be held within the budget, the budget is: a quota is shared with others, and a warning is
/// the better of two evils.
///
/// Pure; belongs to the loop thread.
class RecheckPlan {
 public:
  /// How many targets there are at each level, and what is read besides at fixed periods.
  struct Load {
    std::array<std::size_t, DriftRate::kLevels> targets{};
    double fixed_per_minute = 0;  ///< Of targets whose manifests set a period.
    std::chrono::milliseconds longest_fixed{0};
    [[nodiscard]] std::size_t Total() const;
  };

  RecheckPlan();

  void SetLimits(const RecheckLimits& limits);
  /// Makes the plan again. Costs no more for many targets than for few.
  void Make(const Load& load);

  /// The period of a target of the habit.
  [[nodiscard]] std::chrono::milliseconds GetPeriod(const DriftRate& habit) const;

  /// Drift is seen no later than this after it came up, while calls succeed: the longest period.
  [[nodiscard]] std::chrono::milliseconds Bound() const { return bound_; }
  /// The expected time from drift to its detection, over all targets by how often they drift.
  [[nodiscard]] std::chrono::milliseconds Expected() const { return expected_; }
  [[nodiscard]] double RequestsPerMinute() const { return requests_per_minute_; }
  /// The budget does not allow `longest` to be kept.
  [[nodiscard]] bool budget_too_small() const { return budget_too_small_; }

 private:
  using Periods = std::array<double, DriftRate::kLevels>;  ///< In minutes.
  [[nodiscard]] Periods PeriodsFor(double scale, double shortest, double longest) const;
  void Summarise(const Load& load);

  RecheckLimits limits_;
  Periods periods_{};
  std::chrono::milliseconds bound_{0};
  std::chrono::milliseconds expected_{0};
  double requests_per_minute_ = 0;
  bool budget_too_small_ = false;
};

}  // namespace bindery::controller
