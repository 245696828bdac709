// What a reading of a target leaves in the store.

#include <utility>

#include "controller/engine.h"

namespace bindery {

/// True when it showed that a write without an answer had landed.
bool Engine::RecordObservation(TargetEntry& target, const Work& work, StoreChange& change,
                               const Now& now) {
  if (target.is_lookup()) {
    RecordSighting(target, work, change, now);
    return false;
  }
  const bool landed = ResolveIntent(target, work, change, now);
  const Sha256Digest digest = Sha256Digest::FromHex(work.policy.digest);
  target.observed_at = now.wall;
  const bool same_policy = target.observed && target.policy_digest == digest;
  if (same_policy && target.etag == work.seen.etag && target.exists == work.seen.exists) {
    Touch(target, now);
    return landed;
  }
  if (!same_policy) {
    RevisionRecord revision;
    revision.target = *target.target;
    revision.time = now.wall;
    revision.origin = landed                ? Origin::kWritten
                      : target.ever_written ? Origin::kObserved
                                            : Origin::kForeign;
    revision.etag = work.seen.etag;
    revision.digest = work.policy.digest;
    revision.policy = work.policy.body;
    change.revisions.push_back(std::move(revision));
  }
  TakeOver(target, work.seen, work.policy);
  change.upsert_targets.push_back(target.Record());
  return landed;
}

/// What was read, or stored by a write, is what is known of the target now.
void Engine::TakeOver(TargetEntry& target, const Observation& seen, const PolicyText& policy) {
  target.observed = true;
  target.exists = seen.exists;
  target.SetEtag(seen.etag);
  target.policy_digest = Sha256Digest::FromHex(policy.digest);
  target.grants = static_cast<std::int32_t>(seen.grants.size());
}

/// Only the time of the observation moved. Such changes are collected: a pass over ten thousand
/// targets in sync is a handful of transactions.
void Engine::Touch(const TargetEntry& target, const Now& now) {
  constexpr std::chrono::seconds kLongest(1);
  if (touched_.touch_targets.empty()) touches_due_ = now.mono + kLongest;
  touched_.touch_targets.push_back(target.target);
  touched_.touched_at = now.wall;
}

void Engine::FlushTouches(const Now& now) {
  constexpr std::size_t kMost = 4096;
  const bool due = now.mono >= touches_due_;
  if (due || touched_.touch_targets.size() >= kMost) RecordTouches();
}

void Engine::RecordTouches() {
  if (!touched_.touch_targets.empty()) actions_.changes.push_back(std::exchange(touched_, {}));
}

/// A write whose answer never came: what is there now tells whether it landed.
bool Engine::ResolveIntent(TargetEntry& target, const Work& work, StoreChange& change,
                           const Now& now) {
  if (!target.unresolved) return false;
  const IntentRecord intent = *std::exchange(target.unresolved, nullptr);
  const bool landed = work.grants_digest == intent.digest_desired;
  const bool untouched = !landed && work.policy.digest == intent.digest_before;
  change.finished_intents.push_back(
      {intent.id, now.wall, landed ? "found-landed" : "found-not-landed"});
  if (landed) target.ever_written = true;
  Emit(change,
       {now.wall, EventType::kNormal, landed ? "WriteConfirmed" : "WriteNotLanded", "",
        target.target->name,
        landed ? "a write without an answer did take effect"
        : untouched
            ? "a write without an answer did not take effect"
            : "after a write without an answer the policy is neither the old nor the new one",
        intent.actor});
  return landed;
}

}  // namespace bindery
