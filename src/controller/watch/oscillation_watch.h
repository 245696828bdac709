#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "controller/catalog/catalog.h"
#include "controller/clock/now.h"
#include "controller/watch/oscillation.h"

namespace bindery::controller {

/// Keeps targets that are changed back and forth from being written often, and says why.
///
/// Invariants: those of OscillationBreaker, which counts the rounds. Belongs to the loop thread;
/// the catalog outlives the object. Reads no clock: callers pass the time.
class OscillationWatch {
 public:
  explicit OscillationWatch(const Catalog& catalog) : catalog_(catalog) {}

  /// Takes over the whole state of `other`.
  void CopyFrom(const OscillationWatch& other) {
    breaker_ = other.breaker_;
    interval_ = other.interval_;
    sweep_due_ = other.sweep_due_;
  }

  /// How often targets are read.
  void SetInterval(std::chrono::milliseconds interval);
  /// To be called at each step: forgets finished histories now and then.
  void PassTime(const Now& now);

  /// A write that changed `before` to `after` on a target written before. Returns an event for the
  /// round that exceeds the limit.
  [[nodiscard]] std::optional<Event> NoteRound(const TargetKey& key, const Sha256Digest& before,
                                               const Sha256Digest& after, const Now& now);
  /// The target may not be written now.
  [[nodiscard]] bool Holds(const TargetKey& key, const Now& now) const {
    return breaker_.Holds(key, now.mono);
  }
  /// For people; names manifests on what may be the same policy.
  [[nodiscard]] std::string WhyPaused(const TargetKey& key) const;
  /// It is declared otherwise: counted from the beginning.
  void Reset(const TargetKey& key) { breaker_.Reset(key); }
  /// Number of rarely written targets.
  [[nodiscard]] std::size_t Tripped() const { return breaker_.Tripped(); }

 private:
  [[nodiscard]] std::string FindRival(const TargetKey& key) const;

  const Catalog& catalog_;
  OscillationBreaker breaker_;
  std::chrono::milliseconds interval_{0};
  MonoTime sweep_due_;
};

}  // namespace bindery::controller
