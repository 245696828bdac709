#include "controller/watch/refusal_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace bindery::controller {
namespace {

/// `first`, doubled `times` times.
MonoTime::duration Doubled(MonoTime::duration first, int times) {
  MonoTime::duration wait = first;
  const MonoTime::duration longest = RefusalMemory::kLongestWait;
  for (int i = 0; i < times && wait < longest; ++i) wait *= 2;
  return std::min(wait, longest);
}

std::set<Grant> MakeGrantSet(const std::vector<DeclaredGrant>& declared) {
  std::set<Grant> grants;
  for (const DeclaredGrant& one : declared) grants.insert(one.grant);
  return grants;
}

}  // namespace

int RefusalMemory::GetRound(std::size_t additions) {
  constexpr int kBeside = 3;
  const auto doublings = std::bit_width(std::max<std::size_t>(additions, 1) - 1);
  return 2 * static_cast<int>(doublings) + kBeside;
}

bool RefusalMemory::Searches(MonoTime now) const {
  return tries_ && !search_.over() && now >= pause_.until;
}

std::vector<Grant> RefusalMemory::Due(MonoTime now) const {
  std::vector<Grant> due;
  for (const RefusedGrant& one : refused_) {
    if (tries_ && one.again <= now) due.push_back(one.declared.grant);
  }
  return due;
}

RefusalMemory::RefusedGrant* RefusalMemory::Find(const Grant& grant) {
  const auto found = std::find_if(refused_.begin(), refused_.end(), [&](const RefusedGrant& one) {
    return one.declared.grant == grant;
  });
  return found == refused_.end() ? nullptr : &*found;
}

LeftOutGrants RefusalMemory::Begin(MonoTime now) {
  restate_ = false;
  const std::vector<Grant> due = Due(now);
  if (round_ == Round::kNone) {
    const std::size_t tried = due.size() + (Searches(now) ? search_.All().size() : 0);
    if (tried > 0) StartRound(tried);
  }
  LeftOutGrants out;
  for (const RefusedGrant& one : refused_) {
    const bool passes = one.error.retry_after && now - one.first < kUntilKnown;
    out.push_back({one.declared, passes ? LeftOutAs::kNew : LeftOutAs::kRefused, one.error});
  }
  for (DeclaredGrant& one : search_.All()) {
    const LeftOutAs as = pause_.idle_rounds > 0 ? LeftOutAs::kSuspect : LeftOutAs::kSearched;
    out.push_back({std::move(one), as, search_.words()});
  }
  if (round_ != Round::kOn || removals_first_) return out;
  std::vector<Grant> next;
  if (Searches(now)) {
    next = search_.Next();
  } else if (!due.empty()) {
    next = {due.front()};
  }
  for (LeftOutGrant& one : out) {
    one.tried = std::ranges::find(next, one.declared.grant) != next.end();
  }
  return out;
}

void RefusalMemory::Keep(const std::set<Grant>& missing) {
  std::erase_if(refused_,
                [&](const RefusedGrant& one) { return !missing.contains(one.declared.grant); });
  search_.Keep(missing);
  if (search_.over()) pause_ = {};
}

RefusalMemory::Verdict RefusalMemory::Refused(const Attempt& attempt, const Refusal& refusal,
                                              const Error& error, MonoTime now) {
  const bool first = round_ == Round::kNone;
  if (first) StartRound(attempt.adds.size());
  restate_ = true;
  removals_first_ = false;
  if (attempt.adds.empty() || (refusal.named.empty() && !refusal.of_policy.empty())) {
    return BlamePolicy(attempt, now);
  }
  const std::set<Grant> named(refusal.named.begin(), refusal.named.end());
  std::vector<DeclaredGrant> rest;
  for (const DeclaredGrant& one : attempt.adds) {
    if (named.contains(one.grant)) {
      Note(one, error, now);
    } else {
      rest.push_back(one);
    }
  }
  search_.Drop(named);
  if (named.empty() &&
      NoteUnnamed(attempt, !refusal.elsewhere.empty(), error, now) == Verdict::kPolicy) {
    return BlamePolicy(attempt, now);
  }
  removals_first_ = attempt.removes && !removals_tried_ && (named.empty() || !first);
  removals_tried_ = removals_tried_ || removals_first_;
  SpendCall();
  if (round_ != Round::kSpent) return Verdict::kAdditions;
  if (!named.empty()) {
    const std::set<Grant> known = MakeGrantSet(search_.All());
    std::erase_if(rest, [&](const DeclaredGrant& one) { return known.contains(one.grant); });
    search_.Add(std::move(rest), error);
  }
  if (!search_.over()) PauseSearch(now);
  return Verdict::kAdditions;
}

/// No addition is the cause, contrary to earlier suspicions. Retried additions keep their distance.
RefusalMemory::Verdict RefusalMemory::BlamePolicy(const Attempt& attempt, MonoTime now) {
  search_ = {};
  pause_ = {};
  for (const DeclaredGrant& one : attempt.adds) {
    RefusedGrant* known = Find(one.grant);
    if (known != nullptr) known->again = now + Doubled(kFirstWait, known->times);
  }
  return Verdict::kPolicy;
}

/// With removals in the same write the refused part is unknown: the removals are tried without the
/// additions next, once.
RefusalMemory::Verdict RefusalMemory::NoteUnnamed(const Attempt& attempt, bool names_other,
                                                  const Error& error, MonoTime now) {
  const bool unclear = attempt.removes && !removals_tried_;
  const bool alone = attempt.adds.size() == 1;
  const bool known = alone && Find(attempt.adds.front().grant) != nullptr;
  const bool clear_alone = alone && !unclear;
  if (!known && clear_alone && names_other && !accepted_) return Verdict::kPolicy;
  if (!known && search_.IsNext(attempt.adds)) {
    const auto found = unclear ? std::nullopt : search_.Refused(error);
    if (found) Note(*found, error, now);
  } else if (known || clear_alone) {
    Note(attempt.adds.front(), error, now);
  } else {
    search_.Begin(attempt.adds, error, attempt.restricts);
    pause_.until = MonoTime::min();
  }
  return Verdict::kAdditions;
}

void RefusalMemory::Note(const DeclaredGrant& declared, const Error& error, MonoTime now) {
  RefusedGrant* known = Find(declared.grant);
  if (known == nullptr || known->declared != declared) {
    if (known == nullptr) known = &refused_.emplace_back();
    *known = {declared};
    known->first = now;
  }
  known->error = error;
  if (error.retry_after && now - known->first < kUntilKnown) {
    known->again = now + *error.retry_after;
  } else {
    known->again = now + Doubled(kFirstWait, known->times++);
  }
}

void RefusalMemory::Accepted(const Attempt& attempt, MonoTime now) {
  const std::set<Grant> added = MakeGrantSet(attempt.adds);
  std::erase_if(refused_,
                [&](const RefusedGrant& one) { return added.contains(one.declared.grant); });
  if (attempt.removes) removals_first_ = false;
  if (search_.IsNext(attempt.adds)) {
    if (const auto found = search_.Accepted()) {
      Note(*found, search_.words(), now);
      restate_ = true;
    }
    if (search_.over()) pause_ = {};
  }
  accepted_ = true;
  if (attempt.removes) TryWithRoom(now);
  if (round_ != Round::kOn) return;
  SpendCall();
  if (round_ == Round::kSpent && Searches(now)) PauseSearch(now);
}

/// A removal made room for what was refused because the policy was full.
void RefusalMemory::TryWithRoom(MonoTime now) {
  for (RefusedGrant& one : refused_) {
    if (one.again <= now || !TellsOfSize(one.error)) continue;
    one.again = now;
    restate_ = true;
  }
  if (search_.over() || pause_.until <= now || !TellsOfSize(search_.words())) return;
  pause_.until = now;
  restate_ = true;
}

bool RefusalMemory::GoesOn(MonoTime now) const {
  if (restate_) return true;
  return round_ == Round::kOn && (removals_first_ || Searches(now) || !Due(now).empty());
}

void RefusalMemory::StartRound(std::size_t additions) {
  round_ = Round::kOn;
  calls_ = GetRound(additions);
  accepted_ = false;
  removals_tried_ = false;
}

void RefusalMemory::SpendCall() {
  if (--calls_ > 0) return;
  round_ = Round::kSpent;
  removals_first_ = false;
}

/// The message about left-out additions changes from now on.
void RefusalMemory::PauseSearch(MonoTime now) {
  pause_.until = now + Doubled(kSearchWait, pause_.idle_rounds);
  pause_.idle_rounds = accepted_ ? 0 : pause_.idle_rounds + 1;
  restate_ = true;
}

void RefusalMemory::EndRound(MonoTime now) {
  if (round_ == Round::kOn && Searches(now)) PauseSearch(now);
  round_ = Round::kNone;
  removals_first_ = false;
  restate_ = false;
  for (RefusedGrant& one : refused_) {
    // The writes of the round were used up by others.
    if (one.again <= now) one.again = now + kSearchWait;
  }
}

void RefusalMemory::MakeDue() {
  for (RefusedGrant& one : refused_) one.again = MonoTime::min();
  pause_.until = MonoTime::min();
  pause_.idle_rounds = 0;
}

std::optional<MonoTime> RefusalMemory::NextTry() const {
  std::optional<MonoTime> next;
  if (!search_.over()) next = pause_.until;
  for (const RefusedGrant& one : refused_) next = std::min(next.value_or(one.again), one.again);
  return next;
}

}  // namespace bindery::controller
