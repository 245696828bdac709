#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace bindery::cloud_internal {

/// A wait that another thread can end. Thread-safe.
class Interruption {
 public:
  /// Ends every wait, now and later.
  void Stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Waits; false when it was stopped.
  [[nodiscard]] bool WaitFor(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, time, [this] { return stopped_; });
  }

  [[nodiscard]] bool stopped() const {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }

 private:
  mutable std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  bool stopped_ = false;
};

}  // namespace bindery::cloud_internal
