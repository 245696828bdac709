// How often targets are read again while nothing happens.

#include <algorithm>

#include "controller/engine.h"

namespace bindery {

using std::chrono::milliseconds;

/// The period that its manifests set. A lookup is not about drift: it is refreshed each interval.
std::optional<milliseconds> Engine::FixedPeriodOf(const TargetEntry& target) const {
  const auto own = Catalog::OwnInterval(target);
  return !own && target.is_lookup() ? settings_.recheck.interval : own;
}

/// The fixed period where there is one, else that of the plan.
milliseconds Engine::PeriodOf(const TargetEntry& target) const {
  return FixedPeriodOf(target).value_or(recheck_.PeriodOf(target.habit));
}

/// Counts how often the target drifts by itself: what a re-check in its turn found, where there was
/// nothing before.
void Engine::NoteHabit(TargetEntry& target, const Work& work, const Now& now) {
  if (work.taken.priority != Priority::kPeriodic) return;
  if (work.plan.drift.empty()) {
    target.habit.Quiet(now.mono);
  } else if (target.open_drift->empty()) {
    target.habit.Drifted(now.mono);
  }
}

/// Plans anew now and then: targets come, go and change their habits.
void Engine::PlanRechecks(const Now& now) {
  constexpr std::chrono::minutes kPeriod(1);
  const std::size_t targets = catalog_.targets().size();
  const bool recent = recheck_planned_ && now.mono - *recheck_planned_ < kPeriod;
  if (recent && targets == targets_planned_) return;
  recheck_planned_ = now.mono;
  targets_planned_ = targets;
  RecheckPlan::Load load;
  for (const auto& [key, target] : catalog_.targets()) {
    const auto own = FixedPeriodOf(target);
    if (!own) {
      ++load.targets[target.habit.level];
      continue;
    }
    load.fixed_per_minute += std::chrono::duration<double>(std::chrono::minutes(1)) /
                             std::chrono::duration<double>(*own);
    load.longest_fixed = std::max(load.longest_fixed, *own);
  }
  const bool was_too_small = recheck_.budget_too_small();
  recheck_.Make(load);
  if (was_too_small || !recheck_.budget_too_small()) return;
  StoreChange change;
  Emit(change, {now.wall, EventType::kWarning, "RecheckBudgetTooSmall", "", "",
                "reconcile.requestsPerMinute does not allow every target to be read within "
                "reconcile.longestInterval: drift may go unseen for longer",
                "bindery"});
  actions_.changes.push_back(std::move(change));
}

}  // namespace bindery
