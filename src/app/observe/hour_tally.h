#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "controller/engine/engine.h"
#include "core/base/clock.h"
#include "store/ports/hour_store.h"

namespace bindery::app {

/// Counts for the history of the dashboard, which the store keeps by hours. On the loop thread but
/// for Called().
///
/// What was counted since the last minute goes with a crash, and with a write that fails: the
/// history may miss something, and never counts something twice.
class HourTally {
 public:
  static constexpr std::chrono::minutes kPeriod{1};

  void Found() { ++more_.found; }     ///< A difference that no edit of a manifest brought.
  void Written() { ++more_.writes; }  ///< A policy.
  void Failed() { ++more_.errors; }   ///< Work on a target ended in an error.
  /// A call to a cloud was answered, or failed. From any thread.
  void Called() { calls_.fetch_add(1, std::memory_order_relaxed); }

  /// Tells the store once a period, if something changed or a new hour began.
  void Sample(const controller::Engine& engine, const controller::Now& now,
              store::HourStore& store);
  /// Tells what was not told yet.
  void Finish(const controller::Engine& engine, const controller::Now& now,
              store::HourStore& store);

 private:
  store::HourRecord more_;  ///< Since the store was told.
  std::atomic<std::int64_t> calls_ = 0;
  std::optional<store::HourRecord> told_;
  std::optional<MonoTime> next_;  ///< When the next sample is due.
};

}  // namespace bindery::app
