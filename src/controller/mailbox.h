#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/mutex.h"

namespace bindery {

/// What was finished on other threads, for one that takes it all at once. Thread-safe.
template <typename Item>
class Mailbox {
 public:
  /// `wake` is called when something lies in the box that was empty: on the thread that put it
  /// there, so it must only tell the other one, and not throw.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void Put(Item item) {
    const MutexLock lock(mutex_);
    items_.push_back(std::move(item));
    // Under the lock: the thread that takes the last item may destroy the need of the wake.
    if (items_.size() == 1) wake_();
  }
  [[nodiscard]] std::vector<Item> TakeAll() {
    const MutexLock lock(mutex_);
    return std::exchange(items_, {});
  }

 private:
  Mutex mutex_;
  std::vector<Item> items_ GUARDED_BY(mutex_);
  const std::function<void()> wake_;
};

}  // namespace bindery
