#include <algorithm>
#include <string>

#include "controller/gates/dropped_conditions.h"
#include "controller/gates/gate.h"
#include "reconcilers/grant_comparison.h"

namespace bindery::controller {
namespace {

/// `stays`: the grant is present, and must not be taken back.
std::string MessageOn(const DroppedCondition& dropped, bool stays) {
  std::string what = "the service stored " + dropped.grant.role + " for " +
                     dropped.grant.principal + " without its condition";
  if (dropped.held_before) {
    what += ": it stays as it was before, without a condition, and is not written again";
  } else if (stays) {
    what +=
        ", which gives more than is declared: the grant stays, as its removal is refused or what "
        "is declared of it is not enforced, and is not written again";
  } else {
    what += ", which gives more than is declared: the grant is taken back and not written again";
  }
  return what + "; declare it without a condition, or grant the role where conditions are accepted";
}

/// The grant is not written. The grant to be replaced goes all the same, unless kept. True when the
/// plan wrote the grant.
bool RefuseGrant(const reconcilers::GrantComparison& compare, const DroppedCondition& dropped,
                 const std::string& message, reconcilers::TargetPlan& plan) {
  bool refused = false;
  for (reconcilers::GrantChange& change : plan.changes) {
    const Grant* added = change.is_written() ? change.added() : nullptr;
    if (added == nullptr || !compare.IsSame(*added, dropped.grant)) continue;
    refused = true;
    const bool stays = dropped.held_before && change.before && !change.before->condition;
    if (change.action == reconcilers::ChangeAction::kReplace && !stays) {
      change.action = reconcilers::ChangeAction::kRemove;
      change.reason = {reconcilers::ReasonCode::kConditionDropped, message};
    } else {
      change.Lower(reconcilers::Verdict::kRefuse, reconcilers::Gate::kDroppedConditions,
                   {reconcilers::ReasonCode::kConditionDropped, message});
    }
  }
  return refused;
}

/// What the principal held without a condition before stays.
void KeepHeldBefore(const reconcilers::GrantComparison& compare, const Grant& grant,
                    reconcilers::TargetPlan& plan) {
  for (reconcilers::GrantChange& change : plan.changes) {
    const Grant* removed = change.is_written() ? change.removed() : nullptr;
    if (removed == nullptr || removed->condition || !compare.IsSameHolder(*removed, grant)) {
      continue;
    }
    change.Lower(reconcilers::Verdict::kKeep, reconcilers::Gate::kDroppedConditions,
                 {reconcilers::ReasonCode::kConditionHeldBefore});
  }
}

}  // namespace

void RefuseDroppedConditions(const GateContext& context, reconcilers::TargetPlan& plan) {
  const CheckJob& job = context.job;
  const auto compare = reconcilers::GrantComparison::Of(job.kind);
  for (const DroppedCondition& dropped : job.dropped) {
    const Grant& grant = dropped.grant;
    const bool stays = IsDropped(compare, context.seen, grant) &&
                       ListTakeBacks(job, context.desired, context.seen, {{grant}}).empty();
    if (!RefuseGrant(compare, dropped, MessageOn(dropped, stays), plan)) continue;
    for (reconcilers::GrantChange& change : plan.changes) {
      if (reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kOpen &&
          compare.IsSame(change.grant, grant)) {
        change.severity = Severity::kCritical;
      }
    }
    if (dropped.held_before) KeepHeldBefore(compare, grant, plan);
  }
}

}  // namespace bindery::controller
