#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace bindery {

/// Tells one listener that something was recorded. From any thread; outlives both sides.
class ChangeSignal {
 public:
  /// Calls the listener, which must be quick.
  void Raise() {
    const std::lock_guard lock(mutex_);
    if (listener_) listener_();
  }

  /// In the place of the one before, which is not called any more once this returns. None: nobody.
  void Listen(std::function<void()> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }

 private:
  std::mutex mutex_;
  std::function<void()> listener_;
};

}  // namespace bindery
