#pragma once

#include <string>
#include <vector>

#include "controller/catalog/catalog.h"
#include "controller/gates/engine_work.h"
#include "controller/outbox/engine_observer.h"
#include "controller/outbox/outbox.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Puts on record what the work on a target has shown or done: observations, revisions, drift, and
/// the outcome of a write. Statuses are set elsewhere (status_rules.h).
///
/// Invariants: the policy of a target is on record before it is written over, so that a rollback
/// can bring it back. Drift is told to the observer once when it comes up, and once when it is
/// corrected. A policy or revision is never recorded of a lookup.
/// Belongs to the loop thread; all three outlive it.
class TargetRecorder {
 public:
  TargetRecorder(const Catalog& catalog, EngineObserver& observer, Outbox& outbox)
      : catalog_(catalog), observer_(observer), outbox_(outbox) {}

  /// Records the reading. True when the reading showed that a write without an answer had landed.
  bool RecordObservation(TargetEntry& target, const TargetUnderWork& work,
                         store::StoreChange& change, const Now& now);
  /// The differences a reading shows, while nothing was written after it. `corrected`: others went
  /// by a write of ours.
  void RecordSeen(TargetEntry& target, const TargetUnderWork& work, bool corrected,
                  store::StoreChange& change, const Now& now);
  /// How the result of a lookup differs from the one before; the first result is no change.
  /// Requires: the target still has the outputs of its last reading.
  void RecordResult(TargetEntry& target, const TargetUnderWork& work, store::StoreChange& change,
                    const Now& now);
  /// The target was not found. Its grants may come back with it, so nothing counts as done.
  void RecordMissing(TargetEntry& target, const TargetUnderWork& work, store::StoreChange& change,
                     const Now& now);

  /// A write took effect: records the present policy, and the corrected and remaining differences.
  void RecordWrite(TargetEntry& target, const TargetUnderWork& work, const WriteResult& result,
                   store::StoreChange& change, const Now& now);
  /// A write failed: it was refused, or whether it landed is looked up before anything else is
  /// done.
  void RecordFailedWrite(TargetEntry& target, const TargetUnderWork& work,
                         const WriteResult& result, store::StoreChange& change, const Now& now);

 private:
  bool ResolveIntent(TargetEntry& target, const TargetUnderWork& work, store::StoreChange& change,
                     const Now& now);
  void RecordSighting(TargetEntry& target, const TargetUnderWork& work, store::StoreChange& change,
                      const Now& now);
  /// The present differences, and whether a write of ours corrected the rest.
  struct Differences {
    std::vector<DriftItem> items;
    bool corrected = false;
  };
  void RecordDrift(TargetEntry& target, const TargetUnderWork& work, Differences differences,
                   store::StoreChange& change, const Now& now);
  static void RecordUndeclared(TargetEntry& target, const reconcilers::TargetPlan& plan,
                               store::StoreChange& change);

  const Catalog& catalog_;
  EngineObserver& observer_;
  Outbox& outbox_;
};

}  // namespace bindery::controller
