#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "controller/gates/engine_work.h"
#include "controller/outbox/engine_observer.h"
#include "core/access/target_key.h"
#include "telemetry/trace.h"

namespace bindery::controller {

/// Remembers the requesters of a check of a target: callers to answer, and the trace to continue.
///
/// Invariants: each reply is handed out once. A trace is continued by one check at most.
/// Belongs to the loop thread.
class Requesters {
 public:
  using Reply = std::function<void(const WorkAnswer&)>;

  /// Adds the current request of the thread; `reply` may be empty.
  void Add(const TargetKey& key, Reply reply);
  [[nodiscard]] bool Awaits(const TargetKey& key) const { return replies_.contains(key); }
  /// To be called now, in the order they were added.
  [[nodiscard]] std::vector<Reply> TakeReplies(const TargetKey& key);
  /// The trace of the last requester; not valid() without a requester, or after an earlier call.
  [[nodiscard]] telemetry::TraceContext TakeTrace(const TargetKey& key);
  void DropTrace(const TargetKey& key) { traces_.erase(key); }

  /// A requester wants an immediate attempt of the refused additions of the target.
  void AskForRetry(const TargetKey& key) { retries_.insert(key); }
  /// Whether somebody does; from then on nobody does.
  [[nodiscard]] bool TakeRetry(const TargetKey& key) { return retries_.erase(key) > 0; }

 private:
  std::multimap<TargetKey, Reply> replies_;
  ByTarget<telemetry::TraceContext> traces_;
  std::set<TargetKey> retries_;
};

}  // namespace bindery::controller
