#include "emulator/rate_limit.h"

namespace bindery::emulator {

RateVerdict Count(RateLimit& limit, WallTime now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
  const std::int64_t window = seconds / limit.period;
  if (window != limit.window) {
    limit.window = window;
    limit.used = 0;
  }
  RateVerdict verdict;
  verdict.exceeded = limit.used >= limit.limit;
  if (!verdict.exceeded) ++limit.used;
  verdict.remaining = limit.limit - limit.used;
  verdict.reset = limit.period - seconds % limit.period;
  return verdict;
}

void AddHeaders(const RateLimit& limit, const RateVerdict& verdict, httpd::Headers& headers) {
  headers.Set("X-RateLimit-Limit", std::to_string(limit.limit));
  headers.Set("X-RateLimit-Period", std::to_string(limit.period.count()));
  headers.Set("X-RateLimit-Remaining", std::to_string(verdict.remaining));
  headers.Set("X-RateLimit-Reset", std::to_string(verdict.reset.count()));
  headers.Set("X-RateLimit-Name", limit.name);
}

}  // namespace bindery::emulator
