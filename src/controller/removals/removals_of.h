#pragma once

#include "controller/claims/removal.h"
#include "controller/gates/target_work.h"

namespace bindery::controller {

/// The removals of a target's plan, with causes: `seen` is the policy of the plan, and the
/// differences on record are older than the plan. Pure.
[[nodiscard]] Removals ListRemovals(const CheckJob& job, const reconcilers::Observation& seen,
                                    const reconcilers::TargetPlan& plan, const TargetEntry& target);

}  // namespace bindery::controller
