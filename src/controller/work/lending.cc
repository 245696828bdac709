#include "controller/work/lending.h"

#include <algorithm>

#include "controller/calls/cloud_calls.h"
#include "controller/catalog/catalog.h"
#include "controller/claims/lent_check.h"
#include "controller/outbox/recheck_schedule.h"
#include "providers/bindery/own_kinds.h"

namespace bindery::controller {
namespace {

/// For how many checks a target is read here at most, where lent ones always differ.
constexpr int kMostReadHere = 64;

/// The difference is read here next. Where lent checks differ again and again, they only cost
/// calls: a service may word the same answer differently in each region.
void NoteOther(TargetEntry::Calls& calls) {
  const int next = 1 << calls.told_other;
  calls.read_here = static_cast<std::uint8_t>(next);
  if (next < kMostReadHere) ++calls.told_other;
}

}  // namespace

bool Lending::MayLend(const WorkQueue::Taken& taken, const TargetEntry& target) {
  if (taken.priority != Priority::kPeriodic || loans_.size() >= most_) return false;
  if (target.last_synced_digest.empty() || target.unresolved != nullptr) return false;
  if (target.calls.failures > 0 || target.calls.read_here > 0) return false;
  if (target.kind == nullptr || target.provider.str() == providers::kOwnProvider) return false;
  // This replica makes one check of as many as there are replicas.
  turn_ = (turn_ + 1) % (helpers_ + 1);
  return turn_ != 0;
}

bool Lending::Take(const WorkSchedule::Next& next, const Now& now) {
  const TargetKey& key = next.taken.key;
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  // Nobody answered, or something else made it due.
  const bool was_lent = loans_.erase(key) > 0;
  WorkSchedule& schedule = parts_.schedule;
  if (was_lent || !MayLend(next.taken, target) || !schedule.calls().HandOver(key)) {
    if (target.calls.read_here > 0) --target.calls.read_here;
    return false;
  }
  const Loan loan{++last_number_, target.last_synced_digest, next.taken.due, now};
  parts_.outbox.Lend({loan.number, key, target.kind,
                      schedule.calls().ConnectionTo(target.provider.str()), loan.known_body});
  loans_.insert_or_assign(key, loan);
  schedule.queue().Done(key);
  schedule.queue().Add(key, Priority::kPeriodic, now.mono + kPatience);
  return true;
}

void Lending::End(const LentResult& result, const Now& now) {
  const auto found = loans_.find(result.key);
  if (found == loans_.end() || found->second.number != result.loan) return;
  const Loan loan = found->second;
  loans_.erase(found);
  TargetEntry* target = parts_.catalog.claims().FindTarget(result.key);
  WorkQueue& queue = parts_.schedule.queue();
  // A new event may have made the target due meanwhile: the following check is a different check.
  if (target == nullptr || !queue.WaitsOnlyFor(result.key, loan.at.mono + kPatience)) return;
  parts_.observer.CheckedElsewhere(*target->target, result.answer);
  const bool same = result.answer == LentAnswer::kSame;
  if (same && target->last_synced_digest == loan.known_body) return Confirm(*target, loan, now);
  if (result.answer == LentAnswer::kOther) {
    NoteOther(target->calls);
    parts_.schedule.recheck().DropHint(*target);
  } else {
    target->calls.read_here = std::max<std::uint8_t>(target->calls.read_here, 1);
  }
  queue.Add(result.key, Priority::kPeriodic, now.mono);
}

/// As after a check with the known answer. The reading came after the lending; the exact time is
/// unknown.
void Lending::Confirm(TargetEntry& target, const Loan& loan, const Now& now) {
  target.calls.told_other = 0;
  target.reading.observed_at = loan.at.wall;
  parts_.outbox.Touch(target.target, loan.at.wall, now.mono);
  NoteHabit(target, Priority::kPeriodic, /*drifted=*/false, now);
  const bool in_turn = loan.at.mono - loan.was_due < kInTurn;
  const auto turn = parts_.schedule.recheck().NextTurn(target, /*error=*/nullptr, in_turn, now);
  parts_.schedule.queue().Remove(target.target);
  if (!turn) return;
  parts_.schedule.queue().Add(target.target, turn->priority, turn->due);
  parts_.observer.Queued(*target.target, /*retry=*/false);
}

}  // namespace bindery::controller
