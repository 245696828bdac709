#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "controller/calls/backoff.h"
#include "core/base/clock.h"

namespace bindery::notify {

/// When a receiver that did not accept a message is sent it again: after a pause that grows with
/// each failure in a row, and not before the receiver wants it. Told the time. Single-threaded.
class RetryPause {
 public:
  explicit RetryPause(std::uint64_t seed) : backoff_(seed) {}

  /// `wanted`: the pause requested by the receiver.
  void Failed(MonoTime now, std::optional<std::chrono::milliseconds> wanted);
  /// Ends the row of failures.
  void Reset() { failures_ = 0; }

  /// No sending before this time.
  [[nodiscard]] MonoTime end() const { return end_; }

 private:
  controller::Backoff backoff_;
  int failures_ = 0;  ///< In a row.
  MonoTime end_{};
};

}  // namespace bindery::notify
