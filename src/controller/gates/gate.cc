#include "controller/gates/gate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "controller/gates/completed_write.h"
#include "core/access/status.h"

namespace bindery {
namespace {

constexpr std::array kGates = {
    GateRow{Gate::kJustInTime, GateStage::kCheck, LeaveIgnoredMembers},
    GateRow{Gate::kAcceptedDrift, GateStage::kCheck, AcceptDrift},
    GateRow{Gate::kDroppedConditions, GateStage::kCheck, RefuseDroppedConditions},
    GateRow{Gate::kRefusedGrants, GateStage::kCheck, LeaveOutRefused},
    GateRow{Gate::kLockout, GateStage::kCheck, RefuseLockout},
    GateRow{Gate::kEvidence, GateStage::kEvidence, AwaitEvidence},
    GateRow{Gate::kOscillation, GateStage::kEvidence, PauseOscillation},
    GateRow{Gate::kGuard, GateStage::kGuard, AwaitGuard},
    GateRow{Gate::kOperatorAnswer, GateStage::kGuard, KeepDenied},
};

/// The reason of the status of a resource whose change is refused; empty: no refusal.
std::string_view GetStatusReason(const GrantChange& change) {
  switch (change.reason.code) {
    case ReasonCode::kConditionDropped:
      return reason::kConditionDropped;
    case ReasonCode::kSelfLockout:
      return reason::kSelfLockout;
    case ReasonCode::kLastOwner:
      return reason::kLastOwner;
    default:
      return "";
  }
}

/// The resources in whose name the change would be made; for an undeclared grant all enforced
/// resources.
std::vector<std::string> ListNames(const GrantChange& change, const Desired& desired) {
  if (!change.resource.empty()) return {change.resource};
  std::vector<std::string> names;
  for (const Claim& claim : desired.claims) {
    if (claim.treatment == ManagementPolicy::kEnforce) names.push_back(claim.resource);
  }
  return names;
}

}  // namespace

std::span<const GateRow> Gates() { return kGates; }

void RunGates(GateStage stage, const GateContext& context, TargetPlan& plan) {
  for (const GateRow& row : kGates) {
    if (row.stage == stage) row.function(context, plan);
  }
}

TargetPlan PlanTarget(const CheckJob& job, const Desired& desired, const Observation& seen) {
  TargetPlan plan = job.kind->Plan(desired, seen);
  RunGates(GateStage::kCheck, {job, desired, seen}, plan);
  AddNotes(*job.kind, desired, seen, plan);
  return plan;
}

std::vector<std::pair<std::string, ResourceStatus>> ListRefusals(const CheckJob& job,
                                                                 const TargetPlan& plan,
                                                                 const Desired& desired) {
  std::vector<std::pair<std::string, ResourceStatus>> all;
  for (const GrantChange& change : plan.changes) {
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

}  // namespace bindery
