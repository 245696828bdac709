// Judging: what a target's plan may do, by itself or together with the pass it belongs to.

#include <algorithm>
#include <utility>

#include "controller/drift_cause.h"
#include "controller/engine.h"
#include "controller/removals_of.h"

namespace bindery {
namespace {

/// What is written of it, without the differences: those stay with whoever judged them.
TargetPlan WritesOf(const TargetPlan& plan) {
  TargetPlan writes;
  writes.adds = plan.adds;
  writes.removes = plan.removes;
  return writes;
}

/// Whatever is to be removed on the target is in the plan: none of it is only observed, suspended,
/// or waits for something.
bool IsJudgedInFull(const TargetEntry& target, const TargetUnderWork& work) {
  const auto& claims = work.desired.claims;
  const bool enforced = std::all_of(claims.begin(), claims.end(), [](const Claim& claim) {
    return claim.treatment == Treatment::kEnforce || claim.treatment == Treatment::kRemove;
  });
  return enforced && work.plan.unjudged.empty() && !target.AwaitsLook();
}

}  // namespace

Removals Engine::RemovalsIn(const Work& work) {
  Removals removals = RemovalsOf(*work.job, work.seen, work.plan);
  removals.ask = work.ask;
  return removals;
}

/// What became of a write without an answer, as far as the reading tells: what may have happened
/// counts as if it had.
void Engine::SettleAttempt(const TargetEntry& target, const Work& work) {
  if (!target.unresolved) return;
  const bool landed = work.grants_digest == target.unresolved->digest_desired;
  const bool untouched = !landed && work.policy.digest == target.unresolved->digest_before;
  guard_.Answered(*target.target,
                  untouched ? Guard::Outcome::kNothingHappened : Guard::Outcome::kHappened);
}

/// It was read for a declaration or for settings that are no more.
bool Engine::IsOutdated(const TargetKey& key, const Work& work) const {
  return queue_.AddedWhileTaken(key) || work.rules != catalog_.rules_in_use();
}

void Engine::BeginAnew(const TargetKey& key, const Now& now) {
  if (!queue_.AddedWhileTaken(key)) Enqueue(key, Priority::kChange, now.mono);
  Release(key);
}

/// What becomes of a target that was read. Additions go at once; removals wait until every target
/// of the pass was read, so that the guard sees them all before the first is carried out.
void Engine::Decide(const TargetKey& key, Work& work, const Now& now) {
  SettleAttempt(*catalog_.FindTarget(key), work);
  if (work.plan.writes() && IsOutdated(key, work)) {
    StoreChange change;
    // What others did shows only against the policy before it: it stays the last one until then.
    if (!NeedsRecord(work.plan.drift)) {
      RecordObservation(*catalog_.FindTarget(key), work, change, now);
    }
    if (!change.empty()) actions_.changes.push_back(std::move(change));
    BeginAnew(key, now);
    return;
  }
  // What waits for better evidence is still wanted, and what is not judged now may be: a hold, a
  // denial or an approval of it stays.
  if (IsJudgedInFull(*catalog_.FindTarget(key), work)) {
    if (work.plan.removes.empty()) {
      DropHold(work.job->target, now);
    } else {
      guard_.Refresh(RemovalsIn(work));
    }
  }
  WeighRemovals(key, work, now);
  if (work.plan.writes() && IsPaused(key, work, now)) {
    work.paused = true;
    FinishUnchanged(key, now);
    return;
  }
  if (work.plan.removes.empty()) {
    if (!work.plan.writes()) {
      FinishUnchanged(key, now);
      return;
    }
    work.permitted = WritesOf(work.plan);
    Permit(key, work, now);
    return;
  }
  if (pass_deadline_) {
    work.phase = Phase::kParked;
    return;
  }
  const auto decisions = guard_.Judge({RemovalsIn(work)}, ContextOfPass(), Guard::Waiting::kStays);
  CarryOut(key, work, decisions.front(), now);
  SyncHold(now);
}

/// Does what may be done now; the rest waits.
void Engine::CarryOut(const TargetKey& key, Work& work, const Guard::Decision& decision,
                      const Now& now) {
  work.counted = guard_.CountedOf(decision.go);
  guard_.LetGo(decision.go);
  if (!decision.wait.grants.empty()) {
    guard_.Hold(decision.wait, decision.reason, decision.of_all);
  }
  work.permitted = WritesOf(work.plan);
  work.permitted.removes.clear();
  for (const Removal& removal : decision.go.grants) {
    work.permitted.removes.push_back(removal.grant);
  }
  work.kept = decision.denied;
  for (const Removal& removal : decision.wait.grants) work.kept.push_back(removal.grant);
  work.held = !work.kept.empty();
  if (work.permitted.writes()) {
    Permit(key, work, now);
  } else {
    FinishUnchanged(key, now);
  }
}

void Engine::LeavePass(const TargetKey& key) {
  pass_pending_.erase(key);
  const auto expected = expected_.find(key);
  if (expected == expected_.end()) return;
  expected_grants_ -= expected->second;
  expected_.erase(expected);
}

/// A pass that is judged before all of it was read is no smaller for that: what manifests that are
/// gone granted on the targets still to be read will be asked for.
void Engine::NoteExpected() {
  expected_.clear();
  expected_grants_ = 0;
  for (const TargetKey& key : pass_pending_) {
    const TargetEntry* target = catalog_.FindTarget(key);
    if (target == nullptr) continue;
    std::int64_t grants = 0;
    for (const ResourceEntry* entry : target->resources) {
      const Options& options = entry->options();
      const bool stays = options.protect || options.retain_on_delete || entry->suspended();
      if (entry->leaving() && !stays && !entry->untouched) grants += entry->grants;
    }
    if (grants == 0) continue;
    expected_[key] = grants;
    expected_grants_ += grants;
  }
}

Guard::Context Engine::ContextOfPass() const {
  return {expected_grants_, [this](const std::string& provider) {
            std::int64_t grants = 0;
            for (const auto& [name, entry] : catalog_.resources()) {
              if (entry.accepted && entry.provider.str() == provider) grants += entry.grants;
            }
            return grants;
          }};
}

/// What was read goes on record before it is written over: it is what a rollback brings back, and
/// what tells after a crash whether the write took effect.
void Engine::Permit(const TargetKey& key, Work& work, const Now& now) {
  StoreChange change;
  TargetEntry& target = *catalog_.FindTarget(key);
  const bool landed = RecordObservation(target, work, change, now);
  if (NeedsRecord(work.plan.drift)) RecordSeen(target, work, landed, change, now);
  actions_.changes.push_back(std::move(change));
  NoteTouched(work);
  work.phase = Phase::kReadyToWrite;
  work.ready_at = now.mono;
  ready_to_write_.push_back(key);
}

/// From here on something may have been written in their names: what that is has to be taken back
/// when they go. It goes on record with their next status; until then the intent tells.
void Engine::NoteTouched(const Work& work) {
  for (const Claim& claim : work.desired.claims) {
    if (claim.treatment != Treatment::kEnforce) continue;
    ResourceEntry* entry = catalog_.FindResource(claim.resource);
    if (entry != nullptr) entry->untouched = false;
  }
}

/// Whether its removals have happened.
void Engine::NoteOutcome(const Work& work, const WriteResult& result) {
  const Target& target = work.job->target;
  if (result.written) {
    guard_.Answered(target, Guard::Outcome::kHappened);
    guard_.CarriedOut(target, work.permitted.removes);
    return;
  }
  const Error& error = result.written.error();
  const bool unknown =
      result.intent != 0 && (error.outcome_unknown || error.code == Code::kCancelled);
  guard_.Answered(target,
                  unknown ? Guard::Outcome::kMayHaveHappened : Guard::Outcome::kNothingHappened);
}

/// The pass was read in full, or long enough: its removals are judged as one. Those that wait from
/// before are judged with them once they have become less.
void Engine::JudgePass(const Now& now) {
  pass_deadline_.reset();
  TellPassJudged();
  NoteExpected();
  std::vector<TargetKey> parked;
  for (const auto& [key, work] : work_) {
    if (work.phase == Phase::kParked) parked.push_back(key);
  }
  std::sort(parked.begin(), parked.end());
  std::vector<Removals> together;
  for (const TargetKey& key : parked) together.push_back(RemovalsIn(work_.at(key)));
  const bool anew = guard_.MayRelease();
  if (anew) {
    for (const Removals& held : guard_.Held()) {
      if (std::binary_search(parked.begin(), parked.end(), TargetKey(held.target))) continue;
      together.push_back(held);
    }
  }
  const auto decisions = guard_.Judge(
      together, ContextOfPass(), anew ? Guard::Waiting::kIsJudgedAnew : Guard::Waiting::kStays);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (i < parked.size()) {
      GoOn(parked[i], decisions[i], now);
    } else {
      CheckAgain(decisions[i], now);
    }
  }
  if (anew) guard_.JudgedAnew();
  SyncHold(now);
}

/// Removals that waited fit the limits now: their target is read again and goes on by itself. What
/// waits still does so for the reason there is now.
void Engine::CheckAgain(const Guard::Decision& decision, const Now& now) {
  if (!decision.wait.grants.empty()) {
    guard_.Hold(decision.wait, decision.reason, decision.of_all);
  } else if (!decision.go.grants.empty()) {
    guard_.Unhold(decision.wait.target);
  }
  if (decision.go.grants.empty()) return;
  const TargetEntry* entry = catalog_.FindTarget(decision.go.target);
  if (entry != nullptr) Enqueue(entry->target, Priority::kChange, now.mono);
}

/// What becomes of one target of the pass that was judged.
void Engine::GoOn(const TargetKey& key, const Guard::Decision& decision, const Now& now) {
  Work& work = work_.at(key);
  const TraceScope scope(work.job->trace);
  if (catalog_.FindTarget(key) == nullptr) {
    Release(key);
  } else if (IsOutdated(key, work)) {
    BeginAnew(key, now);
  } else {
    CarryOut(key, work, decision, now);
  }
}

}  // namespace bindery
