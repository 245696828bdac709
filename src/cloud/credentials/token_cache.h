#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cloud/credentials/token_source.h"
#include "core/clock.h"
#include "core/expected.h"

namespace bindery::cloud_internal {

/// Keeps a token and gets the next one in time, for any number of threads. Thread-safe.
///
/// One thread gets the new token. While the old one still holds, the others go on with it; else
/// they wait for the one. A failure is remembered for a while (1 s, doubling to 1 min, or what the
/// endpoint asks for) and given to whoever asks; the old token is used for as long as it holds.
class TokenCache {
 public:
  /// A token is renewed when less than this remains: metadata servers hand out the same token until
  /// four minutes before its end. One that lives shorter than four minutes is renewed at half time.
  static constexpr std::chrono::milliseconds kRenewBefore{225'000};

  TokenCache(std::unique_ptr<TokenSource> source, std::shared_ptr<const Clock> clock)
      : source_(std::move(source)), clock_(std::move(clock)) {}

  /// A token that holds. Waits at most `timeout` for another thread's attempt to get one.
  [[nodiscard]] Expected<std::string> Get(std::chrono::milliseconds timeout);

  /// The service refused `token`. True when another one is there, or may be had. Of many threads
  /// that were refused with the same one, one gets the next.
  [[nodiscard]] bool Refused(const std::string& token);

 private:
  struct Kept {
    std::string value;
    MonoTime renew_at;
    MonoTime holds_until;
  };

  [[nodiscard]] bool Holds(MonoTime now) const { return token_ && now < token_->holds_until; }
  Expected<std::string> Renew(std::unique_lock<std::mutex>& lock);
  void Keep(const AccessToken& token, MonoTime asked_at);
  void Remember(const Error& error);

  const std::unique_ptr<TokenSource> source_;
  const std::shared_ptr<const Clock> clock_;

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::optional<Kept> token_;
  bool renewing_ = false;
  std::optional<Error> failure_;        ///< Of the last attempt.
  MonoTime not_before_{};               ///< No attempt before this, after a failure.
  std::chrono::milliseconds pause_{0};  ///< After the last failure.
  std::optional<MonoTime> refused_at_;  ///< When a refusal last dropped a token.
};

}  // namespace bindery::cloud_internal
