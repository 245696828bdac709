#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "controller/engine/engine.h"
#include "core/base/mutex.h"
#include "report/values/activity_values.h"

namespace bindery::app {

/// What the charts of the dashboard show: how things stood, sampled since the start. Kept in memory
/// and bounded: when there are kMostSamples, each two become one and the period doubles. Told on
/// the loop thread; Report() may be called from any.
class Activity {
 public:
  static constexpr std::size_t kMostSamples = 240;

  /// Work on a target was taken up, or ended: what lies between is a pass.
  void WorkBegan(MonoTime now);
  void WorkEnded(MonoTime now);

  /// Takes a sample, unless the last one is younger than the period.
  void Sample(controller::Engine& engine, const controller::Now& now);

  /// As Control::Activity.
  [[nodiscard]] report::ActivityReport Report() const;

 private:
  struct Point {
    WallTime time;
    std::size_t open = 0;
    std::size_t held = 0;
    std::size_t resources = 0;
    std::size_t ready = 0;
    std::size_t checks = 0;      ///< Targets worked on within the period.
    MonoTime::duration pass{0};  ///< The longest within the period.
    double budget = 1;           ///< Of all providers the least, from 0 to 1.
  };

  /// A visit of all targets and resources.
  struct Standing {
    std::uint64_t changes = 0;  ///< As Engine::changes.
    std::size_t open = 0;
    std::size_t resources = 0;
    std::size_t ready = 0;
  };

  [[nodiscard]] static Standing Count(const controller::Engine& engine);
  [[nodiscard]] Point MakePoint(controller::Engine& engine, const controller::Now& now);
  void Halve() REQUIRES(mutex_);

  std::size_t under_way_ = 0;
  std::optional<MonoTime> pass_began_;
  MonoTime::duration longest_pass_{0};
  std::size_t checks_ = 0;
  std::optional<MonoTime> next_;  ///< When the next sample is due.
  std::optional<Standing> standing_;

  mutable Mutex mutex_;
  std::chrono::seconds period_ GUARDED_BY(mutex_){5};
  std::optional<WallTime> since_ GUARDED_BY(mutex_);
  std::deque<Point> points_ GUARDED_BY(mutex_);
  std::vector<controller::CallGate::BudgetView> budgets_ GUARDED_BY(mutex_);
};

}  // namespace bindery::app
