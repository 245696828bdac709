#pragma once

#include <chrono>

#include "core/base/mutex.h"

namespace bindery::google {

/// A wait that a second thread can end. Thread-safe.
class Interruption {
 public:
  /// Ends every wait, now and later.
  void Stop() {
    const MutexLock lock(mutex_);
    stopped_ = true;
    changed_.NotifyAll();
  }

  /// Waits; false when stopped.
  [[nodiscard]] bool WaitFor(std::chrono::milliseconds time) {
    const MutexLock lock(mutex_);
    return !changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return stopped_; });
  }

  [[nodiscard]] bool stopped() const {
    const MutexLock lock(mutex_);
    return stopped_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace bindery::google
