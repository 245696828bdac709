#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "cloud/rate_limits.h"
#include "core/base/clock.h"
#include "core/base/rate_limiter.h"

namespace bindery::controller {

/// Our own limits within a quota.
struct CallLimits {
  double rate = 0;   ///< Calls a second; 0: no limit but those the service announces.
  double burst = 1;  ///< Calls at once.
  /// The share of an announced limit that is left to further users of the quota; 0 to below 1.
  double headroom = 0.2;
  bool operator==(const CallLimits&) const = default;
};

/// How many calls may go to one quota, now: the strictest of what the configuration allows, what
/// the service announces, and what its refusals teach. A refusal stops all calls for as long as the
/// service asks, at most kLongestRequestedWait (else 1 s, doubling to a minute) and, where no limit
/// is announced, halves the rate, which then grows back by a quarter every 10 s.
///
/// Belongs to the loop thread; the caller passes the time.
class CallBudget {
 public:
  explicit CallBudget(const CallLimits& limits);

  /// Takes effect immediately; learned limits stay.
  void SetLimits(const CallLimits& limits);

  /// Takes one call if a call is allowed now.
  bool TryTake(MonoTime now);

  /// Calls that went without being asked for first.
  void Owe(int calls, MonoTime now);

  /// When the next call may go; now or earlier when one may.
  [[nodiscard]] MonoTime NextCall(MonoTime now);

  void Learn(const cloud::RateLimitReading& reading, MonoTime now);

  /// The service refused a call because of its quota. `wait` is the requested delay.
  void Refused(std::optional<std::chrono::milliseconds> wait, MonoTime now);

  /// A call was answered without a refusal.
  void Succeeded(MonoTime now);
  /// Refusals in a row; refusals during a pause count once.
  [[nodiscard]] int refusals() const { return refusals_; }

  /// Calls a second at most; 0: no limit is known.
  [[nodiscard]] double Rate(MonoTime now);
  /// The part of the budget that is free: 1 nothing is used, 0 calls wait.
  [[nodiscard]] double Headroom(MonoTime now);
  /// How long nothing may go, because the service said so.
  [[nodiscard]] MonoTime::duration Paused(MonoTime now) const;

 private:
  struct Announced {
    double rate = 0;
    double burst = 1;
    MonoTime forget_at;
  };

  void Settle(MonoTime now);
  [[nodiscard]] double SeenRate(MonoTime now) const;

  CallLimits limits_;
  RateLimiter bucket_;
  std::map<std::string, Announced> announced_;  ///< By the service's name of the bucket.
  double taught_rate_ = 0;                      ///< By refusals; 0: none.
  double taught_at_rate_ = 0;                   ///< The rate that was refused.
  MonoTime grown_at_{};
  MonoTime paused_until_{};
  int refusals_ = 0;
  MonoTime window_start_{};
  int window_calls_ = 0;
  double rate_before_ = 0;  ///< Calls a second in the window before this one.
};

}  // namespace bindery::controller
