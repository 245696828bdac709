#include "controller/gates/gate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "controller/gates/completed_write.h"
#include "core/access/status.h"

namespace bindery::controller {
namespace {

constexpr std::array kGates = {
    GateRow{reconcilers::Gate::kJustInTime, GateStage::kCheck, LeaveIgnoredMembers},
    GateRow{reconcilers::Gate::kAcceptedDrift, GateStage::kCheck, AcceptDrift},
    GateRow{reconcilers::Gate::kDroppedConditions, GateStage::kCheck, RefuseDroppedConditions},
    GateRow{reconcilers::Gate::kRefusedGrants, GateStage::kCheck, LeaveOutRefused},
    GateRow{reconcilers::Gate::kLockout, GateStage::kCheck, RefuseLockout},
    GateRow{reconcilers::Gate::kEvidence, GateStage::kEvidence, AwaitEvidence},
    GateRow{reconcilers::Gate::kOscillation, GateStage::kEvidence, PauseOscillation},
    GateRow{reconcilers::Gate::kGuard, GateStage::kGuard, AwaitGuard},
    GateRow{reconcilers::Gate::kOperatorAnswer, GateStage::kGuard, KeepDenied},
};

/// The reason of the status of a resource whose change is refused; empty: no refusal.
std::string_view GetStatusReason(const reconcilers::GrantChange& change) {
  switch (change.reason.code) {
    case reconcilers::ReasonCode::kConditionDropped:
      return reason::kConditionDropped;
    case reconcilers::ReasonCode::kSelfLockout:
      return reason::kSelfLockout;
    case reconcilers::ReasonCode::kLastOwner:
      return reason::kLastOwner;
    default:
      return "";
  }
}

/// The resources in whose name the change would be made; for an undeclared grant all enforced
/// resources.
std::vector<std::string> ListNames(const reconcilers::GrantChange& change,
                                   const reconcilers::Desired& desired) {
  if (!change.resource.empty()) return {change.resource};
  std::vector<std::string> names;
  for (const reconcilers::Claim& claim : desired.claims) {
    if (claim.treatment == reconcilers::ManagementPolicy::kEnforce) names.push_back(claim.resource);
  }
  return names;
}

}  // namespace

std::span<const GateRow> Gates() { return kGates; }

void RunGates(GateStage stage, const GateContext& context, reconcilers::TargetPlan& plan) {
  for (const GateRow& row : kGates) {
    if (row.stage == stage) row.function(context, plan);
  }
}

reconcilers::TargetPlan PlanTarget(const CheckJob& job, const reconcilers::Desired& desired,
                                   const reconcilers::Observation& seen) {
  reconcilers::TargetPlan plan = job.kind->Plan(desired, seen);
  RunGates(GateStage::kCheck, {job, desired, seen}, plan);
  AddNotes(*job.kind, desired, seen, plan);
  return plan;
}

std::vector<std::pair<std::string, ResourceStatus>> ListRefusals(
    const CheckJob& job, const reconcilers::TargetPlan& plan, const reconcilers::Desired& desired) {
  std::vector<std::pair<std::string, ResourceStatus>> all;
  for (const reconcilers::GrantChange& change : plan.changes) {
    const std::string_view why = GetStatusReason(change);
    if (why.empty()) continue;
    for (std::string& name : ListNames(change, desired)) {
      std::pair refusal(std::move(name), ResourceStatus{ResourceState::kStalled, std::string(why),
                                                        change.reason.subject});
      if (std::ranges::find(all, refusal) == all.end()) all.push_back(std::move(refusal));
    }
  }
  std::ranges::move(StatusesOfLeftOut(job, plan), std::back_inserter(all));
  return all;
}

}  // namespace bindery::controller
