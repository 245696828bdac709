#pragma once

#include <chrono>
#include <mutex>

#include "core/base/clock.h"
#include "core/text/time_text.h"

namespace bindery::testing {

/// 2026-11-21T10:00:00Z until a test moves it. Thread-safe.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override {
    const std::scoped_lock lock(mutex_);
    return *ParseRfc3339("2026-11-21T10:00:00Z") + passed_;
  }
  [[nodiscard]] MonoTime Mono() const override {
    const std::scoped_lock lock(mutex_);
    return MonoTime(std::chrono::hours(1000)) + passed_;
  }
  void Pass(std::chrono::milliseconds time) {
    const std::scoped_lock lock(mutex_);
    passed_ += time;
  }

 private:
  mutable std::mutex mutex_;
  std::chrono::milliseconds passed_{0};
};

}  // namespace bindery::testing
