#pragma once

#include <chrono>
#include <cstddef>

#include "core/base/clock.h"

namespace bindery::app {

/// How often a thread on which everything waits may count many entries. A count takes some 0.15 µs
/// an entry: at most a hundredth of the time goes to counts, however often somebody asks. Few
/// entries are counted each time.
class CountPause {
 public:
  /// True if the entries are to be counted now.
  [[nodiscard]] bool MayCount(std::size_t entries, MonoTime now) {
    constexpr std::size_t kFew = 20'000;
    constexpr std::chrono::microseconds kPauseAnEntry{15};
    if (entries > kFew && now < next_) return false;
    next_ = now + kPauseAnEntry * entries;
    return true;
  }

 private:
  MonoTime next_ = {};
};

}  // namespace bindery::app
