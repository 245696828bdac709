#include "controller/catalog/rollbacks.h"

#include <utility>

namespace bindery::controller {

void Rollbacks::Begin(const TargetKey& key, PendingRollback rollback, store::StoreChange& change) {
  if (const PendingRollback* before = Find(key); before != nullptr) {
    rollback.suspended.insert(rollback.suspended.end(), before->suspended.begin(),
                              before->suspended.end());
  }
  change.upsert_rollbacks.push_back({*key, rollback.revision, rollback.actor, rollback.suspended});
  pending_[key] = std::move(rollback);
}

bool Rollbacks::Restore(const TargetKey& key, const StoredState::Rollback& stored) {
  const store::RollbackRecord& record = stored.record;
  Expected<Json> policy = ParseJson(stored.policy);
  const bool known = policy.has_value();
  pending_[key] = {record.revision, known ? std::move(*policy) : Json(), record.actor,
                   record.suspended};
  return known;
}

void Rollbacks::End(const TargetKey& key, std::int64_t revision, store::StoreChange& change) {
  const auto rollback = pending_.find(key);
  if (rollback == pending_.end() || rollback->second.revision != revision) return;
  pending_.erase(rollback);
  change.forget_rollbacks.push_back(*key);
}

PendingRollback Rollbacks::GiveUp(const TargetKey& key, store::StoreChange& change) {
  PendingRollback given_up = std::move(pending_.at(key));
  End(key, given_up.revision, change);
  return given_up;
}

const PendingRollback* Rollbacks::Find(const TargetKey& key) const {
  const auto found = pending_.find(key);
  return found == pending_.end() ? nullptr : &found->second;
}

std::string Rollbacks::FateText(const TargetKey& key, bool gives_up) const {
  if (gives_up) return "; nothing was brought back, and what is declared is enforced again";
  if (Find(key) == nullptr) return "";
  return "; it is tried again until it succeeds, or until what it suspended is resumed "
         "(bindery resume)";
}

}  // namespace bindery::controller
