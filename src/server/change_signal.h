#pragma once

#include <functional>
#include <utility>

#include "core/mutex.h"

namespace bindery {

/// Tells one listener that something was recorded. From any thread; outlives both sides.
class ChangeSignal {
 public:
  /// Calls the listener, which must be quick.
  void Raise() {
    const MutexLock lock(mutex_);
    if (listener_) listener_();
  }

  /// In the place of the one before, which is not called any more once this returns. None: none.
  void Listen(std::function<void()> listener) {
    const MutexLock lock(mutex_);
    listener_ = std::move(listener);
  }

 private:
  Mutex mutex_;
  std::function<void()> listener_ GUARDED_BY(mutex_);
};

}  // namespace bindery
