#include <algorithm>

#include "controller/gates/gate.h"
#include "controller/gates/ignore_changes.h"

namespace bindery {
namespace {

/// A manifest whose part of the policy the grant is in leaves alone who holds it.
bool IsLeftAlone(const CheckJob& job, const Grant& grant) {
  return std::ranges::any_of(job.declared, [&](const DeclaredClaim& declared) {
    const bool kept = declared.treatment == ManagementPolicy::kEnforce ||
                      declared.treatment == ManagementPolicy::kObserve;
    return kept && declared.manifest != nullptr && !declared.expired &&
           CoversOn(job.kind, declared.role, grant) && IgnoresAllMembers(*declared.manifest);
  });
}

}  // namespace

void LeaveIgnoredMembers(const GateContext& context, TargetPlan& plan) {
  for (GrantChange& change : plan.changes) {
    const bool goes = change.action == ChangeAction::kRemove;
    if (!goes || change.reason.code != ReasonCode::kImitation) continue;
    if (!IsLeftAlone(context.job, change.grant)) continue;
    change.Lower(Verdict::kReport, Gate::kJustInTime, {ReasonCode::kImitation});
  }
}

}  // namespace bindery
