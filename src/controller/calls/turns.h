#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "core/base/clock.h"

namespace bindery::controller {

[[nodiscard]] inline MonoTime::duration ToSeconds(double seconds) {
  return std::chrono::duration_cast<MonoTime::duration>(std::chrono::duration<double>(seconds));
}

/// How long it is until the turn of one that `others` come before, at `rate` turns a second; none
/// without a rate. At most 5 s: rates change, and a turn further ahead would come too late.
[[nodiscard]] inline MonoTime::duration TurnAfter(std::size_t others, double rate) {
  constexpr double kFarthest = 5;
  if (rate <= 0) return {};
  return ToSeconds(std::min(static_cast<double>(others) / rate, kFarthest));
}

}  // namespace bindery::controller
