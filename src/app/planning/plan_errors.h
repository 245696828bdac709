#pragma once

#include <chrono>
#include <string>

#include "core/base/error.h"

namespace bindery::app {

/// Of a plan that the end of the daemon cuts short.
[[nodiscard]] inline Error DaemonEnds() { return {Code::kUnavailable, "the daemon stops"}; }

/// Of a plan that is refused now, and may be asked for after the wait.
[[nodiscard]] inline Error NoRoomForPlan(const std::string& what, std::chrono::nanoseconds wait) {
  Error error{Code::kResourceExhausted, what};
  error.retry_after = std::chrono::ceil<std::chrono::seconds>(wait);
  return error;
}

}  // namespace bindery::app
