// Judging: what a target's plan may do, by itself or together with the pass it belongs to.

#include <algorithm>
#include <utility>

#include "controller/engine.h"

namespace bindery {
namespace {

/// What is written of it, without the differences: those stay with whoever judged them.
TargetPlan WritesOf(const TargetPlan& plan) {
  TargetPlan writes;
  writes.adds = plan.adds;
  writes.removes = plan.removes;
  return writes;
}

}  // namespace

Removals Engine::RemovalsOf(const Work& work) const {
  Removals removals;
  removals.target = work.job->target;
  removals.grants = work.plan.removes;
  for (const DeclaredClaim& claim : work.job->declared) {
    if (claim.manifest != nullptr) removals.resources.push_back(claim.manifest->name);
  }
  return removals;
}

/// What becomes of a target that was read. Additions go at once; removals wait until every target
/// of the pass was read, so that the guard sees them all before the first is carried out.
void Engine::Decide(const TargetKey& key, Work& work, const Now& now) {
  if (queue_.AddedWhileTaken(key) && work.plan.writes()) {
    // The directory changed while it was read: the plan is for a declaration that is no more.
    StoreChange change;
    RecordObservation(*catalog_.FindTarget(key), work, change, now);
    if (!change.empty()) actions_.changes.push_back(std::move(change));
    Release(key);
    return;
  }
  WeighRemovals(key, work, now);
  if (!work.ask.empty() && !guard_.IsApproved(RemovalsOf(work))) {
    Withhold(key, work, work.ask, now);
    if (!pass_deadline_) SyncHold(now);
    return;
  }
  if (work.plan.removes.empty()) {
    DropHold(work.job->target, now);
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
  const Guard::Verdict verdict = guard_.JudgeLater(RemovalsOf(work));
  if (verdict.allowed) {
    guard_.Spend(RemovalsOf(work));
    work.permitted = WritesOf(work.plan);
    Permit(key, work, now);
    return;
  }
  Withhold(key, work, verdict.reason, now);
  SyncHold(now);
}

void Engine::LeavePass(const TargetKey& key) { pass_pending_.erase(key); }

/// What was read goes on record before it is written over: it is what a rollback brings back, and
/// what tells after a crash whether the write took effect.
void Engine::Permit(const TargetKey& key, Work& work, const Now& now) {
  StoreChange change;
  RecordObservation(*catalog_.FindTarget(key), work, change, now);
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

void Engine::Withhold(const TargetKey& key, Work& work, const std::string& why, const Now& now) {
  guard_.Hold(RemovalsOf(work), why);
  work.held = true;
  work.permitted = WritesOf(work.plan);
  work.permitted.removes.clear();
  if (work.permitted.writes()) {
    Permit(key, work, now);
  } else {
    FinishUnchanged(key, now);
  }
}

/// The pass was read in full, or long enough: its removals, and those that wait from before, are
/// judged as one.
void Engine::JudgePass(const Now& now) {
  pass_deadline_.reset();
  TellPassJudged();
  std::vector<TargetKey> parked;
  std::vector<Removals> together;
  for (const auto& [key, work] : work_) {
    if (work.phase != Phase::kParked) continue;
    parked.push_back(key);
    // What an operator let through goes, whatever becomes of the rest.
    if (!guard_.IsApproved(RemovalsOf(work))) together.push_back(RemovalsOf(work));
  }
  std::sort(parked.begin(), parked.end());
  std::vector<Target> waiting;
  for (const Removals& held : guard_.Held()) {
    if (std::binary_search(parked.begin(), parked.end(), TargetKey(held.target))) continue;
    together.push_back(held);
    waiting.push_back(held.target);
  }
  const Guard::Verdict verdict = guard_.Judge(together);
  if (verdict.allowed) CheckAgain(waiting, now);
  for (const TargetKey& key : parked) GoOn(key, verdict, now);
  SyncHold(now);
}

/// Removals that waited fit the limits now: their targets are read again and go on by themselves.
void Engine::CheckAgain(const std::vector<Target>& waiting, const Now& now) {
  for (const Target& target : waiting) {
    guard_.Withdraw(target);
    const TargetEntry* entry = catalog_.FindTarget(target);
    if (entry != nullptr) Enqueue(entry->target, Priority::kChange, now.mono);
  }
}

/// What becomes of one target of the pass that was judged.
void Engine::GoOn(const TargetKey& key, const Guard::Verdict& verdict, const Now& now) {
  Work& work = work_.at(key);
  const TraceScope scope(work.job->trace);
  if (catalog_.FindTarget(key) == nullptr || queue_.AddedWhileTaken(key)) {
    Release(key);
  } else if (verdict.allowed || guard_.IsApproved(RemovalsOf(work))) {
    guard_.Spend(RemovalsOf(work));
    work.permitted = WritesOf(work.plan);
    Permit(key, work, now);
  } else {
    Withhold(key, work, verdict.reason, now);
  }
}

/// There is nothing to remove on that target any more, so nothing waits and nothing is approved.
void Engine::DropHold(const Target& target, const Now& now) {
  const bool waited = guard_.Withdraw(target);
  if (!approvals_.empty()) {
    StoreChange change;
    SettleApproval(target, change);
    if (!change.empty()) actions_.changes.push_back(std::move(change));
  }
  // While a pass is read the hold shrinks and grows; it is put on record when the pass was judged.
  if (waited && !pass_deadline_) SyncHold(now);
}

/// That target has what an operator let through behind it.
void Engine::SettleApproval(const Target& target, StoreChange& change) {
  for (Approval& approval : approvals_) {
    if (approval.targets.erase(target) == 0 || !approval.targets.empty()) continue;
    approval.hold.state = "released";
    change.upsert_holds.push_back(approval.hold);
  }
  std::erase_if(approvals_, [](const Approval& approval) { return approval.targets.empty(); });
}

/// Takes over what the last run held or was allowed to remove.
void Engine::RestoreHold(const HoldRecord& hold, StoreChange& change) {
  const bool approved = hold.state == "approved";
  if (!approved && hold.state != "open") return;
  Approval approval{hold, {}};
  const Expected<Json> items = ParseJson(hold.items);
  for (const Json& item : items && items->is_array() ? *items : Json::array()) {
    Removals removals;
    removals.target = {StringMember(item, "kind"), StringMember(item, "scope"),
                       StringMember(item, "target")};
    const TargetEntry* target = catalog_.FindTarget(removals.target);
    if (target == nullptr) continue;
    removals.resources = target->Names();
    if (const Json* removes = FindMember(item, "removes"); removes != nullptr) {
      for (const Json& grant : *removes) removals.grants.push_back(GrantFromJson(grant));
    }
    approval.targets.insert(removals.target);
    if (approved) {
      guard_.RestoreApproval(removals.target, removals.grants);
    } else {
      guard_.Hold(std::move(removals), hold.reason);
    }
  }
  if (!approved) {
    hold_ = hold;
  } else if (!approval.targets.empty()) {
    approvals_.push_back(std::move(approval));
  } else {
    approval.hold.state = "released";
    change.upsert_holds.push_back(std::move(approval.hold));
  }
}

/// Keeps the hold on record equal to what the guard withholds.
void Engine::SyncHold(const Now& now) {
  const std::string digest = guard_.Digest();
  if (digest == hold_.digest) return;
  StoreChange change;
  if (!hold_.digest.empty() && hold_.state == "open") {
    hold_.state = "withdrawn";
    change.upsert_holds.push_back(hold_);
  }
  hold_ = {};
  if (!digest.empty()) {
    hold_.digest = digest;
    hold_.created = now.wall;
    hold_.state = "open";
    hold_.reason = guard_.ReasonNow();
    hold_.purpose = "pass";
    for (const auto& [key, rollback] : rollbacks_) {
      const TargetEntry* target = catalog_.FindTarget(key);
      if (target == nullptr || !guard_.IsHeld(*target->target)) continue;
      hold_.purpose = "rollback:" + std::to_string(rollback.revision);
    }
    hold_.items = guard_.Items().dump();
    change.upsert_holds.push_back(hold_);
    Emit(change, {now.wall, EventType::kWarning, std::string(reason::kGuardHeld), "", "",
                  guard_.ReasonNow() + ": bindery guard approve " + digest + " lets them through",
                  "bindery"});
  }
  actions_.changes.push_back(std::move(change));
}

Expected<void> Engine::Approve(const std::string& digest, const std::string& actor,
                               const Now& now) {
  constexpr std::size_t kShortestBeginning = 6;
  SyncHold(now);
  if (hold_.digest.empty()) return Fail(Code::kNotFound, "nothing is held");
  if (digest.size() < kShortestBeginning || !hold_.digest.starts_with(digest)) {
    return Fail(Code::kNotFound, "nothing is held under \"" + digest +
                                     "\"; what is held now is \"" + hold_.digest + "\"");
  }
  const std::vector<Target> released = guard_.Approve(hold_.digest);
  hold_.state = "approved";
  hold_.actor = actor;
  StoreChange change;
  change.upsert_holds.push_back(hold_);
  Emit(change, {now.wall, EventType::kNormal, "GuardApproved", "", "",
                "removals on " + std::to_string(released.size()) + " targets under " +
                    hold_.digest + " may go on",
                actor});
  Approval approval{std::exchange(hold_, HoldRecord{}), {}};
  AnswerQuestionFor(released);
  for (const Target& target : released) {
    approval.targets.insert(target);
    Enqueue(catalog_.KeyOf(target), Priority::kChange, now.mono);
  }
  approvals_.push_back(std::move(approval));
  actions_.changes.push_back(std::move(change));
  return {};
}

}  // namespace bindery
