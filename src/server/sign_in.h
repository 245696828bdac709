#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "config/web_config.h"
#include "core/clock.h"
#include "core/digest.h"
#include "core/mutex.h"
#include "core/rate_limiter.h"
#include "httpd/message.h"
#include "telemetry/log.h"

namespace bindery::server {

/// Finds out who asks over TCP, and keeps out who should not. Thread-safe.
///
/// A password is checked by bcrypt once and then known by a keyed digest, which is in memory only.
/// A wrong one takes as long as a right one, and so does an unknown name. An address from
/// which many wrong ones came is not listened to for a while.
class SignIn {
 public:
  static constexpr int kMostFailures = 10;  ///< Of one address, until it has to wait.
  static constexpr std::chrono::seconds kFailureWindow{60};

  SignIn(const Clock& clock, Logger& logger);

  /// Nothing when the request is to be served; its peer then has a `user`, if the configuration
  /// asks for one. Else the answer: 401, or 429 with Retry-After.
  [[nodiscard]] std::optional<httpd::Response> Check(const WebConfig& config,
                                                     httpd::Request& request);

 private:
  struct Failures {
    MonoTime since{};
    int count = 0;
  };

  [[nodiscard]] bool IsUser(const WebConfig& config, std::string_view name,
                            std::string_view password);
  [[nodiscard]] std::optional<std::chrono::seconds> MustWait(const std::string& address);
  void NoteFailure(const std::string& address, std::string_view name);
  [[nodiscard]] bool TakeToken(const WebRateLimit& limit);

  const Clock& clock_;
  Logger& logger_;
  const std::string secret_;  // Of this process: what it keys is of no use elsewhere.

  Mutex mutex_;
  std::set<Sha256Digest> known_ GUARDED_BY(mutex_);
  std::map<std::string, Failures> failures_ GUARDED_BY(mutex_);
  RateLimiter limiter_ GUARDED_BY(mutex_){0, 1};
};

}  // namespace bindery::server
