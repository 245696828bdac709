#include <algorithm>

#include "controller/gates/gate.h"
#include "controller/gates/ignore_changes.h"

namespace bindery::controller {
namespace {

/// A manifest whose part of the policy the grant is in leaves alone who holds it.
bool IsLeftAlone(const CheckJob& job, const Grant& grant) {
  return std::ranges::any_of(job.declared, [&](const DeclaredClaim& declared) {
    const bool kept = declared.treatment == reconcilers::ManagementPolicy::kEnforce ||
                      declared.treatment == reconcilers::ManagementPolicy::kObserve;
    return kept && declared.manifest != nullptr && !declared.expired &&
           reconcilers::CoversOn(job.kind, declared.role, grant) &&
           IgnoresAllMembers(*declared.manifest);
  });
}

}  // namespace

void LeaveIgnoredMembers(const GateContext& context, reconcilers::TargetPlan& plan) {
  for (reconcilers::GrantChange& change : plan.changes) {
    const bool goes = change.action == reconcilers::ChangeAction::kRemove;
    if (!goes || change.reason.code != reconcilers::ReasonCode::kImitation) continue;
    if (!IsLeftAlone(context.job, change.grant)) continue;
    change.Lower(reconcilers::Verdict::kReport, reconcilers::Gate::kJustInTime,
                 {reconcilers::ReasonCode::kImitation});
  }
}

}  // namespace bindery::controller
