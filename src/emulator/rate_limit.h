#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/base/mutex.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Who makes a call; asked only when a limit wants to know.
using CallerName = std::function<std::string()>;

/// Limits the calls per calendar period.
struct RateLimit {
  struct Usage {
    std::int64_t window = 0;  ///< The period counted now.
    std::uint64_t used = 0;
  };

  std::uint64_t limit = 100;
  std::chrono::seconds period{10};
  std::string name = "emulator";
  bool per_caller = false;  ///< The limit holds per caller, else for all together.

  std::map<std::string, Usage> usage;  ///< By caller; under "" for all together.
};

/// A call's place in its period.
struct RateVerdict {
  bool exceeded = false;
  std::uint64_t remaining = 0;
  std::chrono::seconds reset{0};  ///< Until the next period.
};

[[nodiscard]] RateVerdict Count(RateLimit& limit, const CallerName& caller, WallTime now);

/// The five X-RateLimit headers.
void AddHeaders(const RateLimit& limit, const RateVerdict& verdict, httpd::Headers& headers);

/// Reads {"limit", "period", "name", "perCaller"}. kInvalidArgument names the error.
[[nodiscard]] Expected<RateLimit> RateLimitFromJson(const Json& value);
[[nodiscard]] Json ToJson(const RateLimit& limit);

/// "10s", or a whole number of milliseconds. kInvalidArgument otherwise.
[[nodiscard]] Expected<std::chrono::milliseconds> DurationFromJson(const Json& value);

/// A permanent limit.
struct StandingLimit {
  std::string operation = "*";  ///< Glob over operation names.
  std::string caller = "*";     ///< Glob over callers.
  RateLimit limit;
};

/// Reads {"operation", "caller"} besides the members of RateLimitFromJson.
[[nodiscard]] Expected<StandingLimit> StandingLimitFromJson(const Json& value);

/// The limits of the seed's options. Thread-safe.
class StandingLimits {
 public:
  void Set(std::vector<StandingLimit> limits);

  struct Reading {
    RateVerdict verdict;
    httpd::Headers headers;
  };
  /// Counts the call with the first limit meant for it; nothing when none is.
  [[nodiscard]] std::optional<Reading> Count(const std::string& operation, const CallerName& caller,
                                             WallTime now);

 private:
  Mutex mutex_;
  std::vector<StandingLimit> limits_ GUARDED_BY(mutex_);
};

}  // namespace bindery::emulator
