#pragma once

#include "controller/removal.h"
#include "controller/target_work.h"

namespace bindery {

/// What a target's plan would take away, and why: `seen` is what the plan was made for, and the
/// differences on record are those of before it. Pure.
[[nodiscard]] Removals RemovalsOf(const CheckJob& job, const Observation& seen,
                                  const TargetPlan& plan, const TargetEntry& target);

}  // namespace bindery
