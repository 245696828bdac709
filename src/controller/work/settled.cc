#include "controller/work/settled.h"

#include <algorithm>

#include "controller/calls/cloud_calls.h"
#include "controller/catalog/catalog.h"
#include "controller/catalog/rollbacks.h"
#include "controller/gates/engine_work.h"
#include "controller/outbox/requesters.h"
#include "controller/removals/pass_barrier.h"
#include "controller/removals/work_table.h"

namespace bindery::controller {
namespace {

/// A periodic re-check of a state that is as desired: any result is news. At a short interval such
/// a check is always due.
bool IsMereRecheck(const Catalog& catalog, const WorkSchedule& schedule, const Rollbacks& rollbacks,
                   const TargetKey& key, const TargetUnderWork& work) {
  const auto target = catalog.claims().targets().find(key);
  if (target == catalog.claims().targets().end() || work.phase != WorkPhase::kChecking)
    return false;
  const bool wanted = work.taken.priority != Priority::kPeriodic ||
                      schedule.queue().AddedWhileTaken(key) || rollbacks.Find(key) != nullptr ||
                      schedule.requesters().Awaits(key);
  const TargetEntry& entry = target->second;
  if (wanted || !entry.calls.checked || entry.calls.failures > 0 || entry.unresolved != nullptr)
    return false;
  return std::none_of(entry.resources.begin(), entry.resources.end(), [](const auto* resource) {
    return resource->standing.status->state == ResourceState::kReconciling;
  });
}

}  // namespace

bool IsSettled(const Catalog& catalog, const WorkSchedule& schedule, const PassBarrier& pass,
               const Rollbacks& rollbacks, const SettlePatience& patience) {
  const auto& all = schedule.work().all();
  const bool works = std::any_of(all.begin(), all.end(), [&](const auto& item) {
    return !IsMereRecheck(catalog, schedule, rollbacks, item.first, item.second);
  });
  const auto& aside = schedule.calls().aside();
  const bool held_up = std::any_of(aside.begin(), aside.end(), [](const auto& taken) {
    return taken.priority == Priority::kChange;
  });
  if (works || held_up) return false;
  const bool waits = pass.pending() > 0 || schedule.queue().Waiting(Priority::kChange) > 0;
  if (waits && schedule.calls().gate().Healthy()) return false;
  // The target has work worth waiting for.
  const auto is_awaited = [&](const TargetKey& key, const TargetEntry& target) {
    if (target.calls.failures == 0 && target.calls.checked && !pass.IsPending(key)) return false;
    if (target.calls.failures > patience.failures ||
        schedule.queue().NotBefore(key) > patience.until)
      return false;
    return schedule.calls().ConsecutiveFailures(target) <= patience.failures;
  };
  return std::none_of(catalog.claims().targets().begin(), catalog.claims().targets().end(),
                      [&](const auto& item) { return is_awaited(item.first, item.second); });
}

}  // namespace bindery::controller
