#pragma once

#include <algorithm>

#include "core/base/clock.h"

namespace bindery {

/// A token bucket: `rate` calls a second on average, `burst` at once. Belongs to one thread or
/// lock; the caller says what time it is. A rate of 0 means no limit; a burst below 1 would never
/// let a call go and counts as 1.
class RateLimiter {
 public:
  RateLimiter(double rate, double burst)
      : rate_(rate), burst_(std::max(burst, 1.0)), tokens_(burst_) {}

  /// From now on. The tokens in the bucket stay, up to the new burst.
  void SetRate(double rate, double burst, MonoTime now) {
    burst = std::max(burst, 1.0);
    if (rate == rate_ && burst == burst_) return;
    if (rate_ > 0) {
      Refill(now);
      tokens_ = std::min(tokens_, burst);
    } else {
      tokens_ = burst;
      last_ = now;
      started_ = true;
    }
    rate_ = rate;
    burst_ = burst;
  }

  [[nodiscard]] double Rate() const { return rate_; }

  /// Takes one token if any.
  bool TryTake(MonoTime now) {
    if (rate_ <= 0) return true;
    Refill(now);
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

  /// Takes one token, also from an empty bucket: for calls already made.
  void Owe(MonoTime now) {
    if (rate_ <= 0) return;
    Refill(now);
    tokens_ -= 1;
  }

  /// The time of the next token; now or earlier if present.
  [[nodiscard]] MonoTime NextToken(MonoTime now) {
    if (rate_ <= 0) return now;
    Refill(now);
    if (tokens_ >= 1) return now;
    const std::chrono::duration<double> wait((1 - tokens_) / rate_);
    // A hair later than exact, so that rounding never wakes the loop before the token is whole.
    return now + std::chrono::duration_cast<MonoTime::duration>(wait) +
           std::chrono::microseconds(1);
  }

  /// The rest of the burst, 0 to 1.
  [[nodiscard]] double Headroom(MonoTime now) {
    if (rate_ <= 0) return 1;
    Refill(now);
    return std::max(tokens_, 0.0) / burst_;
  }

 private:
  void Refill(MonoTime now) {
    if (started_ && now > last_) {
      tokens_ += std::chrono::duration<double>(now - last_).count() * rate_;
      if (tokens_ > burst_) tokens_ = burst_;
    }
    if (!started_ || now > last_) last_ = now;
    started_ = true;
  }

  double rate_;
  double burst_;
  double tokens_;
  MonoTime last_{};
  bool started_ = false;
};

}  // namespace bindery
