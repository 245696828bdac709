#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "controller/engine_observer.h"
#include "controller/engine_work.h"
#include "core/target_key.h"
#include "telemetry/trace.h"

namespace bindery {

/// Remembers who asked for a check of a target: whom to answer, and which trace to continue.
///
/// Invariants: each reply is handed out once. A trace is continued by one check at most.
/// Belongs to the loop thread.
class Requesters {
 public:
  using Reply = std::function<void(const WorkAnswer&)>;

  /// Adds the request that this thread serves now; `reply` may be empty.
  void Add(const TargetKey& key, Reply reply);
  [[nodiscard]] bool Awaits(const TargetKey& key) const { return replies_.contains(key); }
  /// To be called now, in the order they were added.
  [[nodiscard]] std::vector<Reply> TakeReplies(const TargetKey& key);
  /// The trace of who asked for it last; not valid() without one, or when it was taken.
  [[nodiscard]] TraceContext TakeTrace(const TargetKey& key);
  void DropTrace(const TargetKey& key) { traces_.erase(key); }

  /// Somebody wants tried what was refused on the target, whenever it would be.
  void AskForRetry(const TargetKey& key) { retries_.insert(key); }
  /// Whether somebody does; from then on nobody does.
  [[nodiscard]] bool TakeRetry(const TargetKey& key) { return retries_.erase(key) > 0; }

 private:
  std::multimap<TargetKey, Reply> replies_;
  ByTarget<TraceContext> traces_;
  std::set<TargetKey> retries_;
};

}  // namespace bindery
