#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/clock.h"

namespace bindery::store {

/// How the store keeps a time: whole milliseconds since 1970 (UTC), rounded down.
[[nodiscard]] inline std::int64_t ToMillis(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

[[nodiscard]] inline WallTime FromMillis(std::int64_t millis) {
  return WallTime(std::chrono::milliseconds(millis));
}

}  // namespace bindery::store
