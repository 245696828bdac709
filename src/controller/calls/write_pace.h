#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "controller/gates/engine_work.h"
#include "core/base/clock.h"
#include "core/base/rate_limiter.h"

namespace bindery::controller {

/// Spaces the writes to services that are not to be sent more than some a second, and lets no
/// policy of theirs be written twice within a second. Targets that a write is likely for are not
/// read while the writes that wait would take ten seconds: what was read would be too old by then.
///
/// Belongs to the loop thread; the caller passes the time.
class WritePace {
 public:
  /// A service of a provider, and how many writes a second it may be sent; 0: no limit.
  struct Lane {
    std::string provider;
    std::string service;
    double rate = 0;
  };

  /// Begins a new round of turns: first of writes, then of reads.
  void BeginRound(MonoTime now);

  /// When the write may go; nothing: now.
  [[nodiscard]] std::optional<MonoTime> WriteWaits(const Lane& lane, const TargetKey& target,
                                                   MonoTime now);
  /// A write went, whether its turn had come or not.
  void Sent(const Lane& lane, const TargetKey& target, MonoTime now);

  /// The time to ask again for a read that probably leads to a write; nothing: the read may go.
  /// Waiting reads get their turns in sequence.
  [[nodiscard]] std::optional<MonoTime> ReadWaits(const Lane& lane, MonoTime now);

  /// How long a write may wait when `workers` are read while as many wait as there may be.
  [[nodiscard]] static MonoTime::duration LongestWait(const Lane& lane, std::size_t workers);

 private:
  struct Service {
    RateLimiter tokens{0, 1};
    std::size_t waiting = 0;  ///< Writes, in this round.
    std::size_t put_off = 0;  ///< Reads, in this round.
  };
  Service& GetService(const Lane& lane, MonoTime now);

  std::map<std::pair<std::string, std::string>, Service> services_;
  ByTarget<MonoTime> written_;  ///< Within the last second: when they may be written again.
};

}  // namespace bindery::controller
