// Bringing a recorded policy back: asked for, carried out or given up, also beyond a restart. What
// is written is planned like any other check, with CheckJob::restore instead of what is declared.

#include <algorithm>
#include <utility>

#include "controller/engine.h"

namespace bindery {

Expected<void> Engine::Rollback(const std::string& name, const RevisionRecord& revision,
                                const std::string& actor, const Now& now, Reply reply) {
  if (auto may = MayRollBack(name); !may) return may;
  const ResourceEntry* entry = catalog_.FindResource(name);
  if (!(revision.target == *entry->target)) {
    return Fail(Code::kInvalidArgument, "revision " + std::to_string(revision.id) +
                                            " is of another target (" + revision.target.name + ")");
  }
  Expected<Json> policy = ParseJson(revision.policy);
  if (!policy) return Fail(policy.error().Wrap("revision " + std::to_string(revision.id)));
  const TargetKey key = entry->target;
  std::vector<std::string> enforced;
  for (const ResourceEntry* sibling : catalog_.FindTarget(key)->resources) {
    if (!sibling->suspended_by_operator) enforced.push_back(sibling->name);
  }
  StoreChange change;
  // Otherwise the next check would undo what is brought back now.
  SetSuspended(enforced, true, actor, change, now);
  // One that is not over yet has suspended the others.
  if (const auto before = rollbacks_.find(key); before != rollbacks_.end()) {
    const auto& others = before->second.suspended;
    enforced.insert(enforced.end(), others.begin(), others.end());
  }
  change.upsert_rollbacks.push_back({*key, revision.id, actor, enforced});
  actions_.changes.push_back(std::move(change));
  rollbacks_[key] = {revision.id, std::move(*policy), actor, std::move(enforced)};
  if (reply) waiting_replies_.emplace(key, std::move(reply));
  NoteCaller(key);
  Enqueue(key, Priority::kChange, now.mono);
  return {};
}

/// It is written, or given up; unless another one was asked for meanwhile.
void Engine::EndRollback(const TargetKey& key, std::int64_t revision, StoreChange& change) {
  const auto rollback = rollbacks_.find(key);
  if (rollback == rollbacks_.end() || rollback->second.revision != revision) return;
  rollbacks_.erase(rollback);
  change.forget_rollbacks.push_back(*key);
}

/// What the last run was asked to bring back, and had not by its end, is brought back by this one.
void Engine::RestoreRollback(const StoredState::Rollback& stored, StoreChange& change,
                             const Now& now) {
  const RollbackRecord& record = stored.record;
  const TargetEntry* target = catalog_.FindTarget(record.target);
  if (target == nullptr) {
    change.forget_rollbacks.push_back(record.target);
    return;
  }
  const TargetKey key = target->target;
  Expected<Json> policy = ParseJson(stored.policy);
  const bool known = policy.has_value();
  rollbacks_[key] = {record.revision, known ? std::move(*policy) : Json(), record.actor,
                     record.suspended};
  if (known) return;
  Emit(change, {now.wall, EventType::kWarning, "RollbackGivenUp", "", record.target.name,
                "revision " + std::to_string(record.revision) +
                    " is not on record any more: what is declared is enforced again",
                "bindery"});
  GiveUpRollback(key, now);
}

/// What it suspended is enforced again: else the target would be watched by nobody, for the sake of
/// a policy that it did not get.
void Engine::GiveUpRollback(const TargetKey& key, const Now& now) {
  const PendingRollback given_up = std::move(rollbacks_.at(key));
  StoreChange change;
  EndRollback(key, given_up.revision, change);
  SetSuspended(given_up.suspended, false, given_up.actor, change, now);
  actions_.changes.push_back(std::move(change));
}

/// What a failure means to whoever asked for it; empty: nobody did.
std::string Engine::FateOfRollback(const TargetKey& key, bool gives_up) const {
  if (gives_up) return "; nothing was brought back, and what is declared is enforced again";
  if (!rollbacks_.contains(key)) return "";
  return "; it is tried again until it succeeds, or until what it suspended is resumed "
         "(bindery resume)";
}

}  // namespace bindery
