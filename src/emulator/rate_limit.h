#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/clock.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// So many calls in each period of the calendar, as Datadog counts.
struct RateLimit {
  std::uint64_t limit = 100;
  std::chrono::seconds period{10};
  std::string name = "emulator";

  std::int64_t window = 0;  ///< The period counted now.
  std::uint64_t used = 0;
};

/// One call's place in its period.
struct RateVerdict {
  bool exceeded = false;
  std::uint64_t remaining = 0;
  std::chrono::seconds reset{0};  ///< Until the next period.
};

[[nodiscard]] RateVerdict Count(RateLimit& limit, WallTime now);

/// The five X-RateLimit headers.
void AddHeaders(const RateLimit& limit, const RateVerdict& verdict, httpd::Headers& headers);

}  // namespace bindery::emulator
