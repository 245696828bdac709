#pragma once

#include <chrono>

#include "core/base/clock.h"

namespace bindery::app {

/// Stands still between calls of Advance().
class MovingClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return now_; }
  void Advance(std::chrono::milliseconds time) { now_ += time; }

 private:
  MonoTime now_{std::chrono::hours(1)};
};

}  // namespace bindery::app
