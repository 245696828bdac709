#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "controller/claims/stored_state.h"
#include "core/access/target_key.h"
#include "core/base/json.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// A recorded policy that is to come back.
struct PendingRollback {
  std::int64_t revision = 0;
  Json policy;
  std::string actor;
  std::vector<std::string> suspended;  ///< Names that were enforced until then.
};

/// Keeps the rollbacks that were asked for and are not carried out or given up yet.
///
/// Invariants: one per target at most; what is kept here is on record, as soon as the change of
/// each call is.
/// Belongs to the loop thread.
class Rollbacks {
 public:
  /// Replaces the former rollback of the target, with its suspensions.
  void Begin(const TargetKey& key, PendingRollback rollback, store::StoreChange& change);
  /// A rollback that the last run was asked for. False when the policy is not on record any more:
  /// the rollback has to be given up.
  [[nodiscard]] bool Restore(const TargetKey& key, const StoredState::Rollback& stored);
  /// It is written, or not wanted any more; unless a different one was asked for meanwhile.
  void End(const TargetKey& key, std::int64_t revision, store::StoreChange& change);
  /// Removes the rollback. The suspended resources have to be enforced again, or nobody would watch
  /// the target. Requires: a rollback exists.
  [[nodiscard]] PendingRollback GiveUp(const TargetKey& key, store::StoreChange& change);
  /// Its target is gone. Stays on record, to be forgotten at the next start.
  void Forget(const TargetKey& key) { pending_.erase(key); }

  [[nodiscard]] const PendingRollback* Find(const TargetKey& key) const;
  [[nodiscard]] const std::map<TargetKey, PendingRollback>& all() const { return pending_; }
  /// The meaning of a failure for the requester; empty: no rollback.
  [[nodiscard]] std::string FateText(const TargetKey& key, bool gives_up) const;

 private:
  std::map<TargetKey, PendingRollback> pending_;
};

}  // namespace bindery::controller
