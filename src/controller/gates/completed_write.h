#pragma once

#include "controller/gates/engine_work.h"

namespace bindery::controller {

/// The full write of the work, with the accompanying changes: tombstones, and grants that are
/// requested again. Pure.
[[nodiscard]] reconcilers::TargetPlan CompletedWrite(const TargetUnderWork& work);

/// Fills in the notes and the forms of a plan. Pure; any thread.
void AddNotes(const reconcilers::Kind& kind, const reconcilers::Desired& desired,
              const reconcilers::Observation& seen, reconcilers::TargetPlan& plan);

}  // namespace bindery::controller
