#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "controller/catalog/catalog.h"
#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"
#include "controller/guard/guard.h"
#include "controller/outbox/engine_observer.h"

namespace bindery::controller {

/// Keeps which targets are to be read before removals are judged together, and until when they are
/// waited for.
///
/// Invariants: while the pass is open, no removal of its targets is carried out. A pass is judged
/// no later than 10 s after it was begun last. Belongs to the loop thread. Reads no clock: callers
/// pass the time.
class PassBarrier {
 public:
  /// Of the traces, how many are to be exported.
  void SetSampleRatio(double ratio) { sample_ratio_ = ratio; }

  /// That target is to be read before the pass is judged.
  void Add(const TargetKey& key) { pending_.insert(key); }
  /// The target was read, or will not be read any more. Its expected removals are known.
  void Leave(const TargetKey& key);
  /// The targets became due: they are judged together with the targets of an open pass. The
  /// patience counts from `from`.
  void Begin(std::size_t targets, MonoTime from, const Now& now);
  /// Nothing was read yet, and can be from now on.
  void BeginReading(const Now& now);
  /// Ends the waiting. What manifests that are gone granted on targets that were not read is
  /// expected to be asked for: the pass is no smaller for being judged early.
  [[nodiscard]] PassReport Close(const Catalog& catalog);

  [[nodiscard]] bool open() const { return deadline_.has_value(); }
  /// All was read, or waited for long enough.
  [[nodiscard]] bool IsDue(const Now& now) const {
    return deadline_ && (pending_.empty() || now.mono >= *deadline_);
  }
  [[nodiscard]] std::optional<MonoTime> deadline() const { return deadline_; }
  [[nodiscard]] bool IsPending(const TargetKey& key) const { return pending_.contains(key); }
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }
  /// Of the pass that is open, or was last.
  [[nodiscard]] const telemetry::TraceContext& trace() const { return report_.trace; }
  /// What the guard must know to judge removals. Valid while the catalog is.
  [[nodiscard]] Guard::Context ContextFor(const Catalog& catalog) const;

 private:
  double sample_ratio_ = 0;
  std::unordered_set<TargetKey, TargetKey::Hash> pending_;  ///< Not read yet.
  std::optional<MonoTime> deadline_;
  PassReport report_;
  /// Removals that targets of the pass without a reading will ask for.
  ByTarget<std::int64_t> expected_;
  std::int64_t expected_grants_ = 0;  ///< The sum.
};

}  // namespace bindery::controller
