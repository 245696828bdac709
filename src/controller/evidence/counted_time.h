#pragma once

#include <algorithm>
#include <optional>

#include "core/base/clock.h"

namespace bindery::controller {

/// A clock that counts the time between two looks, and of a long pause only a part. A daemon that
/// was stopped together with the programs that write the directory saw nothing rest meanwhile.
/// Pure: callers pass the time.
class CountedTime {
 public:
  /// How far apart looks usually are: that much of a pause counts at most.
  void SetDistance(MonoTime::duration distance) { distance_ = distance; }
  [[nodiscard]] MonoTime::duration distance() const { return distance_; }

  /// Records a look.
  void Look(MonoTime now) {
    counted_ = At(now);
    last_ = now;
  }

  /// The counted time up to the last look, and up to `now`. Requires: `now` is not before the last
  /// look.
  [[nodiscard]] MonoTime counted() const { return counted_; }
  [[nodiscard]] MonoTime At(MonoTime now) const {
    return last_ ? counted_ + std::min<MonoTime::duration>(now - *last_, distance_) : now;
  }
  /// The time of the last look, by the clock; nothing: there was none.
  [[nodiscard]] const std::optional<MonoTime>& last() const { return last_; }

 private:
  MonoTime::duration distance_ = MonoTime::duration::max();
  std::optional<MonoTime> last_;
  MonoTime counted_{};
};

}  // namespace bindery::controller
