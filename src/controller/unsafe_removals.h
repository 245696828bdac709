#pragma once

#include "controller/target_work.h"

namespace bindery {

/// Takes out of a plan the removals that the kind refuses (Kind::Refuse), unless the configuration
/// allows them. The resources that would have removed them are in TargetPlan::impossible, and the
/// differences stay. Requires: the plan is final, as what it adds counts. Pure.
void RefuseUnsafe(const CheckJob& job, const Desired& desired, const Observation& seen,
                  TargetPlan& plan);

/// The plan of the job's kind, without accepted differences and without refused removals. Pure.
[[nodiscard]] TargetPlan PlanTarget(const CheckJob& job, const Desired& desired,
                                    const Observation& seen);

/// A recorded policy comes back as a whole or not at all: kFailedPrecondition if the job is to
/// bring one back and removals of it are refused.
[[nodiscard]] Expected<void> CheckRestore(const CheckJob& job, const Desired& desired,
                                          const Observation& seen);

}  // namespace bindery
