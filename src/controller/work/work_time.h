#pragma once

#include <chrono>

#include "core/base/clock.h"

namespace bindery::controller {

/// How long work on a target takes: until its last answer, and from when a thread compares it. What
/// lies between, the wait for a thread, says nothing of the target. Told the time. For a single
/// thread at a time.
class WorkTime {
 public:
  explicit WorkTime(MonoTime started) : started_(started) {}

  void Answered(MonoTime now) { answered_ = now; }
  void Comparing(MonoTime now) { comparing_ = now; }

  /// Zero before the first answer.
  [[nodiscard]] std::chrono::nanoseconds UntilAnswer() const { return answered_ - started_; }
  /// Requires: Comparing.
  [[nodiscard]] std::chrono::nanoseconds Worked(MonoTime now) const {
    return UntilAnswer() + (now - comparing_);
  }
  /// The wait for a thread included.
  [[nodiscard]] std::chrono::nanoseconds Passed(MonoTime now) const { return now - started_; }

 private:
  MonoTime started_;
  MonoTime answered_ = started_;
  MonoTime comparing_ = started_;
};

}  // namespace bindery::controller
