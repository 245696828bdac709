#include "app/plan_waiting.h"

#include <algorithm>
#include <set>

#include "controller/unsafe_removals.h"

namespace bindery {
namespace {

/// Those of one target that will not be as declared after a pass.
void AddUnsettled(const PlanTask& task, const CheckResult& checked, std::set<std::string>& names) {
  names.insert(task.suspended.begin(), task.suspended.end());
  if (!checked.observed) {
    for (const DeclaredClaim& claim : task.job.declared) {
      if (claim.manifest != nullptr) names.insert(claim.manifest->name);
    }
    return;
  }
  for (const auto* left_out : {&checked.desired.refused, &checked.plan.impossible}) {
    for (const auto& [resource, status] : *left_out) names.insert(resource);
  }
  for (const Claim& claim : checked.desired.claims) {
    if (!claim.fault.empty()) names.insert(claim.resource);
    if (claim.treatment != Treatment::kObserve) continue;
    const bool differs =
        std::any_of(checked.plan.drift.begin(), checked.plan.drift.end(),
                    [&](const DriftItem& item) { return item.resource == claim.resource; });
    if (differs) names.insert(claim.resource);
  }
}

/// Whom that claim needs of those; nullptr: nobody.
const std::string* NeedAmong(const std::set<std::string>& unsettled, const PlanTask& task,
                             const Claim& claim) {
  const auto needs = task.needs.find(claim.resource);
  if (needs == task.needs.end()) return nullptr;
  const auto need = std::find_if(needs->second.begin(), needs->second.end(),
                                 [&](const std::string& name) { return unsettled.contains(name); });
  return need == needs->second.end() ? nullptr : &*need;
}

/// Takes back what would be written on one target for those who need one of the unsettled, to whom
/// they belong from then on.
void HoldBack(const PlanTask& task, CheckResult& result, std::set<std::string>& unsettled,
              VainWaits& waits) {
  bool changed = false;
  for (Claim& claim : result.desired.claims) {
    if (claim.treatment != Treatment::kEnforce) continue;
    const std::string* need = NeedAmong(unsettled, task, claim);
    if (need == nullptr) continue;
    claim.treatment = Treatment::kObserve;
    waits.emplace(claim.resource, *need);
    unsettled.insert(claim.resource);
    changed = true;
  }
  if (changed) result.plan = PlanTarget(task.job, result.desired, *result.observed);
}

}  // namespace

VainWaits HoldBackWaiting(const PlanScope& scope, std::vector<CheckResult>& checked) {
  VainWaits waits;
  std::set<std::string> unsettled = scope.unsettled;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    AddUnsettled(scope.tasks[i], checked[i], unsettled);
  }
  // Who waits is waited for in vain as well.
  std::size_t known = 0;
  do {
    known = waits.size();
    for (std::size_t i = 0; i < checked.size(); ++i) {
      if (checked[i].observed) HoldBack(scope.tasks[i], checked[i], unsettled, waits);
    }
  } while (waits.size() > known);
  return waits;
}

}  // namespace bindery
