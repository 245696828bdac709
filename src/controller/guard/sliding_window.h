#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controller/clock/now.h"
#include "core/base/clock.h"

namespace bindery::controller {

/// How many grants were taken away within a span of time that moves on: in all, on each provider,
/// and on each target. A write counts from the moment it may go, and until the span has passed by
/// every clock: a clock that is set forward does not shorten it.
///
/// Removals that may go and are not sent yet are *reserved*; a sent removal without an outcome
/// counts as if it had happened. Pure except for internal memory.
class SlidingWindow {
 public:
  struct Amount {
    std::string target;  ///< Target::Key().
    std::string provider;
    std::int64_t count = 0;
  };

  void SetLength(std::chrono::milliseconds length) { length_ = length; }
  [[nodiscard]] std::chrono::milliseconds length() const { return length_; }

  /// Sets the time; amounts older than the span no longer count.
  void PassTime(const Now& now);

  /// A write with these removals may go; replaces the reservation of the target.
  void Reserve(Amount amount);
  /// What was reserved for the target is not going to be sent.
  void Release(const std::string& target);
  /// What was reserved for the target is being sent: it may have happened from here on.
  void Sent(const std::string& target);
  /// What was sent to the target has happened, or may have; or it has not.
  void Answered(const std::string& target, bool happened);

  /// Taken away before a restart, at the time; `open` without an outcome.
  void Restore(Amount amount, WallTime at, bool open);
  /// What was restored with an outcome no longer counts.
  void DropRestored();

  [[nodiscard]] std::int64_t Total() const { return total_; }
  [[nodiscard]] std::int64_t OnProvider(const std::string& provider) const;
  [[nodiscard]] std::int64_t OnTarget(const std::string& target) const;
  /// On all targets of the kinds that `wanted` accepts.
  [[nodiscard]] std::int64_t OnKinds(
      const std::function<bool(std::string_view kind)>& wanted) const;

 private:
  struct Entry {
    Amount amount;
    MonoTime mono;
    WallTime wall;
  };
  using Id = std::uint64_t;

  Id Add(Amount amount, MonoTime mono, WallTime wall);
  Amount Take(Id id);
  void Count(const Amount& amount, std::int64_t sign);
  [[nodiscard]] bool IsOver(const Entry& entry) const;

  std::chrono::milliseconds length_{std::chrono::hours(1)};
  Now now_{};
  Id last_id_ = 0;
  std::map<Id, Entry> entries_;         ///< Oldest first.
  std::map<std::string, Id> reserved_;  ///< By target; of entries_.
  std::map<std::string, Id> sent_;      ///< The same.
  std::vector<Id> restored_;            ///< Some may have left entries_.
  std::int64_t total_ = 0;
  std::map<std::string, std::int64_t> by_provider_;
  std::map<std::string, std::int64_t> by_target_;
};

/// The highest of some values within a span of time that moves on.
class HighestWithin {
 public:
  void SetLength(std::chrono::milliseconds length) { length_ = length; }
  void Note(std::int64_t value, MonoTime now);
  [[nodiscard]] std::int64_t Value(MonoTime now) const;

 private:
  struct Sample {
    MonoTime until;  ///< When the next value took its place.
    std::int64_t value = 0;
  };
  std::chrono::milliseconds length_{std::chrono::hours(1)};
  std::deque<Sample> samples_;  ///< Values fall, so the first that counts is the highest.
};

}  // namespace bindery::controller
