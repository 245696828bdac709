#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/access/target_key.h"
#include "core/base/clock.h"
#include "core/text/digest.h"

namespace bindery::reason {
inline constexpr std::string_view kOscillating = "Oscillating";
}  // namespace bindery::reason

namespace bindery::controller {

/// Finds targets that are changed back and forth: bindery writes a policy, a second writer restores
/// the former state, and so on. After a few rounds, further rounds would only fill the cloud's
/// audit log and use up its quota: from then on the target is written rarely, more rarely with each
/// round, until a write stays. Pure: callers pass the time.
///
/// A round is a write to a target that bindery had written before, with the same result as the last
/// write, replacing one of few states. Ordinary repairs, which replace ever new states, are no
/// rounds; nor are edits of a manifest.
class OscillationBreaker {
 public:
  struct Limits {
    std::size_t rounds = 5;  ///< More within the window are too many.
    std::size_t states = 3;  ///< As many may take turns.
    std::chrono::milliseconds window{3'600'000};
    std::chrono::milliseconds first_pause{300'000};  ///< Doubled with each round after it.
    std::chrono::milliseconds longest_pause{3'600'000};
  };
  /// The knowledge of a target that is written rarely.
  struct Standing {
    std::size_t rounds = 0;    ///< Since it began.
    WallTime since;            ///< When the first of them was.
    WallTime last;             ///< When the last one was.
    MonoTime next_try;         ///< It is written again then.
    bool tripped_now = false;  ///< With the round that was just told.
  };

  /// What is too often where targets are read at the interval.
  [[nodiscard]] static Limits LimitsFor(std::chrono::milliseconds interval);

  void SetLimits(const Limits& limits) { limits_ = limits; }

  /// A write that changed `before` to `after` on a target written before. Returns the state of the
  /// target after too many rounds.
  std::optional<Standing> Wrote(const TargetKey& key, const Sha256Digest& before,
                                const Sha256Digest& after, MonoTime mono, WallTime wall);
  /// The target may not be written now.
  [[nodiscard]] bool Holds(const TargetKey& key, MonoTime now) const;
  /// Nothing where the target is not changed back and forth.
  [[nodiscard]] std::optional<Standing> Find(const TargetKey& key) const;
  /// The declaration changed, or an operator asks for a write: counts from the beginning.
  void Reset(const TargetKey& key) { histories_.erase(key); }
  /// Forgets finished histories.
  void Sweep(MonoTime now);
  /// Number of rarely written targets.
  [[nodiscard]] std::size_t Tripped() const;

 private:
  struct Round {
    Sha256Digest before;
    MonoTime mono;
    WallTime wall;
  };
  struct History {
    Sha256Digest after;        ///< Of all rounds.
    std::deque<Round> rounds;  ///< The last ones.
    std::size_t count = 0;     ///< Of all.
    WallTime since;
    std::optional<MonoTime> next_try;  ///< Set once there were too many.
    std::chrono::milliseconds pause{0};
  };

  [[nodiscard]] std::size_t StatesIn(const History& history) const;
  [[nodiscard]] static Standing MakeStanding(const History& history);
  /// No change came back for long enough.
  [[nodiscard]] bool IsOver(const History& history, MonoTime now) const;

  Limits limits_;
  std::unordered_map<TargetKey, History, TargetKey::Hash> histories_;
};

}  // namespace bindery::controller
