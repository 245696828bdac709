#pragma once

#include "controller/engine_work.h"

namespace bindery {

/// What the write of the work does, with what goes along: tombstones, and grants that are asked for
/// again. Pure.
[[nodiscard]] TargetPlan CompletedWrite(const TargetUnderWork& work);

/// Fills in the notes and the forms of a plan. Pure; any thread.
void AddNotes(const Kind& kind, const Desired& desired, const Observation& seen, TargetPlan& plan);

}  // namespace bindery
