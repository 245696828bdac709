#pragma once

#include <functional>
#include <utility>

#include "core/base/mutex.h"

namespace bindery::server {

/// Tells one listener about a new record. From any thread; outlives both sides.
class ChangeSignal {
 public:
  /// Calls the listener. The listener must be quick.
  void Raise() {
    const MutexLock lock(mutex_);
    if (listener_) listener_();
  }

  /// Replaces the former listener, which is not called any more after the return. Empty: no
  /// listener.
  void Listen(std::function<void()> listener) {
    const MutexLock lock(mutex_);
    listener_ = std::move(listener);
  }

 private:
  Mutex mutex_;
  std::function<void()> listener_ GUARDED_BY(mutex_);
};

}  // namespace bindery::server
