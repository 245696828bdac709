#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "providers/google/credentials/interruption.h"
#include "providers/google/credentials/remembered_failure.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// Keeps a token and gets the next one in time, for any number of threads. Thread-safe.
///
/// While a token is valid no caller waits: a thread of the cache gets the next token.
/// Without a valid token the first caller gets one, and further callers wait for a short
/// while. A failure is remembered and given to callers meanwhile; the old token is used
/// while valid.
class TokenCache {
 public:
  /// A token is renewed when less than this remains: metadata servers hand out the same token until
  /// four minutes before its end. One that lives shorter than four minutes is renewed at half time.
  static constexpr std::chrono::milliseconds kRenewBefore{225'000};

  /// How long a caller waits for another's attempt: an endpoint that hangs must not hold them all.
  static constexpr std::chrono::milliseconds kLongestWait{2'000};

  /// `stop` ends the waits of `source`; null: no waits.
  TokenCache(std::unique_ptr<TokenSource> source, std::shared_ptr<const Clock> clock,
             std::shared_ptr<Interruption> stop = nullptr,
             std::chrono::milliseconds longest_wait = kLongestWait)
      : source_(std::move(source)),
        clock_(std::move(clock)),
        stop_(std::move(stop)),
        longest_wait_(longest_wait) {}

  /// Stops, and waits for the end of a renewal under way.
  ~TokenCache();
  TokenCache(const TokenCache&) = delete;
  TokenCache& operator=(const TokenCache&) = delete;

  /// A token that holds. kUnavailable when another thread's attempt to get one has not ended within
  /// `timeout` or the longest wait, whichever is less. An attempt of the caller's own takes up to
  /// kLongestFetch, whatever the timeout.
  [[nodiscard]] Expected<std::string> Get(std::chrono::milliseconds timeout);

  /// The token when it holds and no caller has to renew it; else nothing. Waits for nothing.
  [[nodiscard]] std::optional<std::string> TryGet();

  /// The service refused `token`. True when a different token exists, or may be had. Of many
  /// threads with the same refused token, one gets the next token.
  [[nodiscard]] bool Refused(const std::string& token);

 private:
  struct Kept {
    std::string value;
    MonoTime renew_at;
    MonoTime holds_until;
  };

  [[nodiscard]] bool Holds(MonoTime now) const REQUIRES(mutex_) {
    return token_ && now < token_->holds_until;
  }
  std::optional<Error> Renew() REQUIRES(mutex_);
  void RenewInBackground() REQUIRES(mutex_);
  /// Of the token nothing is left.
  void Drop() REQUIRES(mutex_);
  void Keep(const AccessToken& token, MonoTime asked_at) REQUIRES(mutex_);

  const std::unique_ptr<TokenSource> source_;
  const std::shared_ptr<const Clock> clock_;
  const std::shared_ptr<Interruption> stop_;
  const std::chrono::milliseconds longest_wait_;

  Mutex mutex_;
  CondVar changed_;
  std::optional<Kept> token_ GUARDED_BY(mutex_);
  bool renewing_ GUARDED_BY(mutex_) = false;
  std::thread renewal_ GUARDED_BY(mutex_);  ///< Under way while renewing_, or ended.
  RememberedFailure failure_ GUARDED_BY(mutex_);
  std::optional<MonoTime> refused_at_ GUARDED_BY(mutex_);  ///< When a refusal last dropped a token.
};

}  // namespace bindery::google
