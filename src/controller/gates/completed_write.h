#pragma once

#include "controller/gates/engine_work.h"

namespace bindery {

/// The full write of the work, with the accompanying changes: tombstones, and grants that are
/// requested again. Pure.
[[nodiscard]] TargetPlan CompletedWrite(const TargetUnderWork& work);

/// Fills in the notes and the forms of a plan. Pure; any thread.
void AddNotes(const Kind& kind, const Desired& desired, const Observation& seen, TargetPlan& plan);

}  // namespace bindery
