// What concerns several parts of the guard. Judging is in guard_judge.cc.

#include "controller/guard/guard.h"

#include <utility>

namespace bindery::controller {

void Guard::SetLimits(const GuardLimits& limits) {
  if (!(limits == limits_)) held_.NoteOtherLimits();
  limits_ = limits;
  recent_.SetLengths(limits);
}

void Guard::BeginRun(std::int64_t held) {
  recent_.BeginPass(held + recent_.declared().Total());
  held_.JudgedAnew();
}

CountedRemovals Guard::LetGo(const Removals& removals) {
  const std::string key = removals.target.Key();
  CountedRemovals counted;
  std::int64_t foreign = 0;
  for (const Removal& removal : removals.grants) {
    if (answers_.IsApproved(key, removal.grant)) continue;
    ++(removal.cause == RemovalCause::kForeign ? foreign
       : WasDeclared(removal.cause)            ? counted.declared
                                               : counted.adopted);
  }
  recent_.LetGo(removals, counted, foreign);
  held_.LetGo(removals);
  return counted;
}

std::vector<Grant> Guard::Known(const Target& target) const {
  std::vector<Grant> known = answers_.GrantsOn(target);
  if (const HeldRemovals::Entry* held = held_.Find(target.Key()); held != nullptr) {
    for (const Removal& removal : held->removals.grants) known.push_back(removal.grant);
  }
  return known;
}

void Guard::KeepOnly(const Target& target, const std::function<bool(const Grant&)>& wanted) {
  held_.KeepOnly(target, wanted);
  answers_.KeepOnly(target, wanted);
}

bool Guard::Withdraw(const Target& target) {
  const bool denied = answers_.Forget(target);
  const bool held = held_.Unhold(target);
  return denied || held;
}

std::vector<Target> Guard::Approve(const std::string& digest) {
  std::vector<Target> released;
  if (digest.empty()) return released;
  const auto approve = [&](const Removals& removals) {
    answers_.Approve(removals);
    released.push_back(removals.target);
  };
  if (digest == held_.Digest()) {
    for (const auto& [key, held] : held_.TakeAll()) approve(held.removals);
  } else {
    for (const Removals& denied : answers_.TakeDenied(digest)) approve(denied);
  }
  return released;
}

std::vector<Target> Guard::Deny(const std::string& digest) {
  std::vector<Target> concerned;
  if (digest.empty() || digest != held_.Digest()) return concerned;
  for (auto& [key, held] : held_.TakeAll()) {
    concerned.push_back(held.removals.target);
    answers_.Deny(std::move(held), digest);
  }
  return concerned;
}

void Guard::Restore(HeldRemovals::Entry held, const store::HoldRecord& hold) {
  if (hold.state == HoldState::kApproved) {
    answers_.Approve(held.removals);
  } else if (hold.state == HoldState::kDenied) {
    answers_.Deny(std::move(held), hold.digest);
  } else if (hold.state == HoldState::kOpen) {
    held_.Hold(std::move(held.removals), held.reasons);
  }
}

}  // namespace bindery::controller
