#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloud/transport.h"
#include "core/base/mutex.h"

namespace bindery::cloud {

/// A service's report about one of its buckets; different operations may share a bucket.
struct RateLimitReading {
  std::string bucket;  ///< The service's name of it; empty: it gives none.
  double limit = 0;    ///< Calls in a period; more than 0.
  std::chrono::seconds period{0};
  double remaining = 0;
  std::chrono::seconds reset{0};  ///< Until `remaining` is `limit` again.
  std::string api = {};           ///< HttpRequest::service of the call that was counted.
  bool refused = false;           ///< A call was refused (429) since the reading before.
};

/// Reads the rate limit in an answer; nothing when the answer has none, or an incomplete one. Pure.
using RateLimitReader = std::optional<RateLimitReading> (*)(const HttpResponse& response);

/// The last reading of each bucket for each API, from the calling threads to the planner of calls.
/// Thread-safe.
class RateLimitLog {
 public:
  void Note(RateLimitReading reading);

  /// The readings since the last Take.
  [[nodiscard]] std::vector<RateLimitReading> Take();

 private:
  Mutex mutex_;
  /// By API and bucket.
  std::map<std::pair<std::string, std::string>, RateLimitReading> readings_ GUARDED_BY(mutex_);
};

/// Sends through `inner` and notes what the answers say of rate limits; `inner` itself when `read`
/// is null.
[[nodiscard]] std::shared_ptr<Transport> NotingRateLimits(std::shared_ptr<Transport> inner,
                                                          std::shared_ptr<RateLimitLog> log,
                                                          RateLimitReader read);

}  // namespace bindery::cloud
