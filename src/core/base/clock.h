#pragma once

#include <chrono>

namespace bindery {

using WallTime = std::chrono::system_clock::time_point;  ///< For people, tokens and the store.
using MonoTime = std::chrono::steady_clock::time_point;  ///< For intervals and deadlines.

/// The source of time. Passed in, so that tests decide the time. Safe to call from any
/// thread.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual WallTime Wall() const = 0;
  [[nodiscard]] virtual MonoTime Mono() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return std::chrono::system_clock::now(); }
  [[nodiscard]] MonoTime Mono() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace bindery
