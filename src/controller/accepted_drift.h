#pragma once

#include "controller/target_work.h"

namespace bindery {

/// Takes out of a plan what the job's rules accept: those differences go from `drift` and
/// `unjudged` to `accepted`, and neither their additions nor their removals are left. Where it
/// cannot be told whether an acceptance is over, its difference goes to `unjudged` with the
/// acceptance, and is not repaired.
///
/// What a manifest that is gone had granted goes with it, whatever is accepted; other grants of its
/// role may stay. A policy that is brought back is brought back in full. Pure.
void TakeOutAccepted(const CheckJob& job, const Desired& desired, TargetPlan& plan);

}  // namespace bindery
