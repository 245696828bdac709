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
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/rate_limiter.h"
#include "core/text/digest.h"
#include "httpd/message.h"
#include "server/identities.h"
#include "telemetry/log.h"

namespace bindery::server {

/// Identifies requesters over TCP, and refuses strangers. Thread-safe.
///
/// By a password, a verified certificate, the session of a browser that signed in at an OpenID
/// provider, or the signed header of a proxy. The role of each is in the web configuration.
///
/// A password is checked by bcrypt once and then known by a keyed digest, which is in memory only.
/// A wrong one takes as long as a right one, and so does an unknown name. An address from
/// which many wrong ones came is not listened to for a while.
class SignIn {
 public:
  static constexpr int kMostFailures = 10;  ///< Of one address, until it has to wait.
  static constexpr std::chrono::seconds kFailureWindow{60};

  SignIn(const Clock& clock, telemetry::Logger& logger, Identities& identities);

  /// Nothing when the request is to be served; its peer then has a `user` and a `role`, if the
  /// configuration asks for them. Else the answer: 401, 403 for somebody without a role, 429 with
  /// Retry-After, or for a browser the way to the sign-in.
  [[nodiscard]] std::optional<httpd::Response> Check(const config::WebConfig& config,
                                                     httpd::Request& request);

 private:
  struct Failures {
    MonoTime since{};
    int count = 0;
  };

  /// Fills in who asks. The answer to credentials that are wrong.
  [[nodiscard]] std::optional<httpd::Response> Identify(const config::WebConfig& config,
                                                        httpd::Request& request);
  [[nodiscard]] std::optional<httpd::Response> IdentifyUser(const config::WebConfig& config,
                                                            httpd::Request& request);
  [[nodiscard]] std::optional<httpd::Response> IdentifyPerson(const config::WebConfig& config,
                                                              httpd::Request& request);
  /// Whether the request shows the key that opens /metrics alone.
  [[nodiscard]] static bool HasMetricsToken(const config::WebConfig& config,
                                            const httpd::Request& request);
  [[nodiscard]] bool IsUser(const config::WebConfig& config, std::string_view name,
                            std::string_view password);
  [[nodiscard]] std::optional<std::chrono::seconds> MustWait(const std::string& address);
  void NoteFailure(const std::string& address, std::string_view name);
  [[nodiscard]] bool TakeToken(const config::WebRateLimit& limit);

  const Clock& clock_;
  telemetry::Logger& logger_;
  Identities& identities_;
  const std::string secret_;  // Of this process: what it keys is of no use elsewhere.

  Mutex mutex_;
  std::set<Sha256Digest> known_ GUARDED_BY(mutex_);
  std::map<std::string, Failures> failures_ GUARDED_BY(mutex_);
  RateLimiter limiter_ GUARDED_BY(mutex_){0, 1};
};

}  // namespace bindery::server
