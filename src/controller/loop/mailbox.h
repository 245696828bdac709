#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/base/mutex.h"

namespace bindery::controller {

/// Results of further threads, for a receiver that takes all at once. Thread-safe.
template <typename Item>
class Mailbox {
 public:
  /// `wake` is called when the empty box receives an item: on the sending thread, so `wake` must
  /// only notify the receiver, and not throw.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void Put(Item item) {
    const MutexLock lock(mutex_);
    items_.push_back(std::move(item));
    // Under the lock: the thread that takes the last item may destroy what `wake` uses.
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

}  // namespace bindery::controller
