#include "controller/outbox/recheck_schedule.h"

#include <algorithm>
#include <utility>

namespace bindery::controller {

using std::chrono::milliseconds;

namespace {

/// Re-checks are due by steps: what wakes a thread then serves many of them, and a hundredth of a
/// second is nothing to an interval.
MonoTime TakenUpTogether(MonoTime due) {
  using Steps = std::chrono::duration<std::int64_t, std::ratio<1, 50>>;
  return std::chrono::ceil<Steps>(due);
}

}  // namespace

void RecheckSchedule::SetSettings(const RecheckLimits& limits, milliseconds exact, double jitter) {
  plan_.SetLimits(limits);
  hints_.SetExact(exact);
  interval_ = limits.interval;
  jitter_ = jitter;
  planned_.reset();
  end_all_ = true;
}

void RecheckSchedule::SetHints(const HintedTargets& hinted, const Claims::Targets& targets) {
  if (hints_.Set(hinted, targets)) planned_.reset();
}

/// The period that the target's manifests set. A lookup is not about drift: lookups are refreshed
/// each interval.
std::optional<milliseconds> RecheckSchedule::FindFixedPeriod(const TargetEntry& target) const {
  const auto own = target.OwnInterval();
  return !own && target.is_lookup() ? interval_ : own;
}

milliseconds RecheckSchedule::GetPeriod(const TargetEntry& target) const {
  return FindFixedPeriod(target).value_or(plan_.GetPeriod(target.habit));
}

std::optional<Event> RecheckSchedule::Plan(const Claims::Targets& targets, const Now& now) {
  constexpr std::chrono::minutes kPeriod(1);
  const bool recent = planned_ && now.mono - *planned_ < kPeriod && !hints_.AnyOld(now);
  if (recent && targets.size() == targets_planned_) return std::nullopt;
  planned_ = now.mono;
  targets_planned_ = targets.size();
  hints_.DropOld(now);
  watched_ = 0;
  const bool end_all = std::exchange(end_all_, false);
  RecheckPlan::Load load;
  for (const auto& [key, target] : targets) {
    auto own = FindFixedPeriod(target);
    const RecheckHints::Watch watch = hints_.Judge(target, now);
    EndPutOff(target, end_all ? RecheckHints::Watch::kNot : watch, now);
    if (watch != RecheckHints::Watch::kNot) {
      ++watched_;
      own = std::max(hints_.exact(), interval_);
    }
    if (!own) {
      ++load.targets[target.habit.level];
      continue;
    }
    load.fixed_per_minute += std::chrono::duration<double>(std::chrono::minutes(1)) /
                             std::chrono::duration<double>(*own);
    load.longest_fixed = std::max(load.longest_fixed, *own);
  }
  const bool was_too_small = plan_.budget_too_small();
  plan_.Make(load);
  if (was_too_small || !plan_.budget_too_small()) return std::nullopt;
  return Event{now.wall,
               EventType::kWarning,
               "RecheckBudgetTooSmall",
               "",
               "",
               "reconcile.requestsPerMinute does not allow every target to be read within "
               "reconcile.longestInterval: drift may go unseen for longer",
               "bindery"};
}

/// A read is put off for longer than a period only while scans watch the target.
void RecheckSchedule::EndPutOff(const TargetEntry& target, RecheckHints::Watch watch,
                                const Now& now) {
  if (put_off_.empty() || watch == RecheckHints::Watch::kRead) return;
  if (put_off_.erase(target.target) == 0) return;
  ended_.emplace_back(target.target, now.mono + WaitFor(GetPeriod(target), /*in_turn=*/false));
}

std::optional<RecheckSchedule::Turn> RecheckSchedule::NextTurn(const TargetEntry& target,
                                                               const Error* error, bool in_turn,
                                                               const Now& now) {
  put_off_.erase(target.target);
  if (error == nullptr || IsTerminal(error->code)) {
    if (!rechecks_) return std::nullopt;
    if (error == nullptr && !hints_.empty()) {
      hints_.NoteRead(target, now.mono, backoff_.Within(hints_.exact()));
    }
    const milliseconds wait = WaitFor(GetPeriod(target), in_turn);
    return Turn{Priority::kPeriodic, TakenUpTogether(now.mono + wait), false};
  }
  constexpr int kHopeful = 3;
  const milliseconds wait = WaitAfter(*error, target.calls.failures);
  return Turn{target.calls.failures > kHopeful ? Priority::kPeriodic : Priority::kRetry,
              now.mono + wait, true};
}

/// Targets checked together, at the start, after a large change or after an outage, are spread over
/// the interval, so that reads come evenly from then on.
milliseconds RecheckSchedule::WaitFor(milliseconds interval, bool in_turn) {
  return in_turn ? backoff_.Jittered(interval, jitter_) : backoff_.Within(interval);
}

std::optional<RecheckSchedule::Turn> RecheckSchedule::PutOff(const TargetEntry& target,
                                                             bool in_turn, const Now& now) {
  // Nothing is read in the turn: it may come with the turns of a whole second.
  constexpr std::chrono::seconds kTogether(1);
  const milliseconds interval = GetPeriod(target);
  const auto longest = std::chrono::duration_cast<milliseconds>(interval * (1 + jitter_));
  const auto latest = rechecks_ ? hints_.PutsOff(target, longest + kTogether, now) : std::nullopt;
  if (!latest) {
    put_off_.erase(target.target);
    return std::nullopt;
  }
  put_off_.insert(target.target);
  // A turn in between would read nothing while scans watch the target.
  const MonoTime due = std::max(now.mono + WaitFor(interval, in_turn), *latest);
  return Turn{Priority::kPeriodic, std::chrono::ceil<std::chrono::seconds>(due), false};
}

milliseconds RecheckSchedule::WaitAfter(const Error& error, int failures) {
  milliseconds wait = backoff_.AfterFailure(failures);
  // A moved etag is nobody's fault and passes quickly: patience, but not idleness.
  if (error.code == Code::kAborted) {
    wait = std::min(wait, backoff_.Jittered(milliseconds(100), 0.5) * failures);
  }
  // The budget of its quota says when calls go on; the target itself did nothing wrong.
  if (error.code == Code::kResourceExhausted) wait = std::min(wait, backoff_.AfterFailure(1));
  if (error.retry_after) wait = std::max(wait, *error.retry_after);
  return wait;
}

void NoteHabit(TargetEntry& target, Priority priority, bool drifted, const Now& now) {
  if (priority != Priority::kPeriodic) return;
  if (!drifted) {
    target.habit.Quiet(now.mono);
  } else if (target.drift.open->empty()) {
    target.habit.Drifted(now.mono);
  }
}

}  // namespace bindery::controller
