#pragma once

#include <cstddef>

#include "core/base/clock.h"
#include "core/base/rate_limiter.h"
#include "notify/message.h"

namespace bindery::notify {

/// When the next message may go, and how many of the waiting events it tells of: never more than
/// the receiver takes. While there is enough of the limit left, each event is a separate message.
/// The last message before the limit, each that had to wait for it, and each while as many events
/// wait as a message can hold tells of all that waits.
/// Told the time. Single-threaded.
class Batching {
 public:
  /// `per_minute` messages on average, `burst` at once.
  Batching(int per_minute, int burst);

  /// Takes one message from the limit. How many of `waiting` events it tells of; 0: the limit is
  /// used up until NextMessage.
  [[nodiscard]] std::size_t Take(std::size_t waiting, MonoTime now);
  [[nodiscard]] MonoTime NextMessage(MonoTime now) { return limiter_.NextToken(now); }

  /// A message of that many events was accepted: if they were as many as may be, more are tried.
  void Accepted(std::size_t events);

  /// The receiver refuses a message with this number of events, two at least: the cause may be a
  /// single event, or the size. Returns the number to try next.
  [[nodiscard]] std::size_t Refused(std::size_t events);

 private:
  const bool limited_;
  const int burst_;
  RateLimiter limiter_;
  std::size_t most_ = kMostJoined;
};

}  // namespace bindery::notify
