#pragma once

#include <functional>
#include <span>

#include "controller/claims/evidence_verdict.h"
#include "controller/gates/target_work.h"
#include "controller/guard/guard.h"

namespace bindery::controller {

/// What gates decide by. What is null or empty is not known at the stage, and stops nothing.
struct GateContext {
  const CheckJob& job;
  const reconcilers::Desired& desired;
  const reconcilers::Observation& seen;
  /// The evidence about the removal of the grant.
  std::function<EvidenceVerdict(const Grant& grant)> evidence = {};
  bool oscillates = false;  ///< The target is changed back and forth.
  const Guard::Decision* guard = nullptr;
};

/// A gate lowers verdicts of changes, and says which gate and why (GateDecision::Lower). It may
/// take the addition out of a replacement. It never raises a verdict, and never makes a write
/// larger. A gate that stops additions leaves a return of a recorded policy whole
/// (reconcilers::Desired::restore), as a person asked for that policy, and decides about
/// replacements too: a replacement that stops leaves the wider grant.
using GateFunction = void (*)(const GateContext& context, reconcilers::TargetPlan& plan);

/// When a gate is asked.
enum class GateStage {
  kCheck,     ///< When the policy was compared. Pure; any thread.
  kEvidence,  ///< When the target is decided on (AwaitingEvidence::Weigh). The loop thread.
  kGuard,     ///< When all targets of the pass were read. The loop thread.
};

struct GateRow {
  reconcilers::Gate gate;
  GateStage stage;
  GateFunction function;
};

/// All that stands between a difference and a write, in order. What the manifests and the protected
/// principals decide is part of the comparison itself (policy_diff.h): changes begin with the
/// verdict. docs/safety.md tells the order to people.
[[nodiscard]] std::span<const GateRow> Gates();

/// Asks the gates of the stage, in order.
void RunGates(GateStage stage, const GateContext& context, reconcilers::TargetPlan& plan);

// The gates -------------------------------------------------------------------------------------

/// What only looks like just-in-time access is reported and stays, where the manifest of its role
/// ignores all members (options.ignoreChanges): no live value holds such a grant.
void LeaveIgnoredMembers(const GateContext& context, reconcilers::TargetPlan& plan);

/// What the job's rules accept stays, and is no drift. Where it cannot be told whether an
/// acceptance is over, the difference is not judged and not repaired. What a deleted manifest had
/// granted goes with it, whatever is accepted.
void AcceptDrift(const GateContext& context, reconcilers::TargetPlan& plan);

/// A grant that the service stores without its condition (CheckJob::dropped) is not written again.
/// A grant that was held without a condition before is not removed because of it.
void RefuseDroppedConditions(const GateContext& context, reconcilers::TargetPlan& plan);

/// Additions that the service refuses (CheckJob::left_out) are left out, and what they would
/// replace stays. Where nothing else is left to add, what is due to be tried again is written.
/// Requires: the gates that stop additions were asked.
/// Where the policy would be left open to everybody, nothing is removed.
void LeaveOutRefused(const GateContext& context, reconcilers::TargetPlan& plan);

/// The removals that the kind refuses (Kind::Refuse) are refused, unless the configuration allows
/// them. Requires: the gates before were asked, as what the plan adds counts.
void RefuseLockout(const GateContext& context, reconcilers::TargetPlan& plan);

/// Access goes once the evidence allows it, or asks an operator.
void AwaitEvidence(const GateContext& context, reconcilers::TargetPlan& plan);

/// A target that is changed back and forth is not written now.
void PauseOscillation(const GateContext& context, reconcilers::TargetPlan& plan);

/// Removals held by the guard wait.
void AwaitGuard(const GateContext& context, reconcilers::TargetPlan& plan);

/// Denied removals stay undone.
void KeepDenied(const GateContext& context, reconcilers::TargetPlan& plan);

// Results of the verdicts ------------------------------------------------------------------

/// The plan of the job's kind, as the gates of the first stage leave it. Pure.
[[nodiscard]] reconcilers::TargetPlan PlanTarget(const CheckJob& job,
                                                 const reconcilers::Desired& desired,
                                                 const reconcilers::Observation& seen);

/// A recorded policy comes back as a whole or not at all: kFailedPrecondition if the job is to
/// bring one back and removals of it are refused.
[[nodiscard]] Expected<void> CheckRestore(const CheckJob& job, const reconcilers::Desired& desired,
                                          const reconcilers::Observation& seen);

/// Resources that cannot reach their declared state, with the status.
[[nodiscard]] std::vector<std::pair<std::string, ResourceStatus>> ListRefusals(
    const CheckJob& job, const reconcilers::TargetPlan& plan, const reconcilers::Desired& desired);

}  // namespace bindery::controller
