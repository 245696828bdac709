#pragma once

#include <chrono>
#include <optional>

#include "controller/catalog/catalog.h"
#include "controller/clock/clock_witness.h"
#include "controller/gates/engine_work.h"
#include "controller/removals/removal_holds.h"
#include "controller/watch/oscillation_watch.h"

namespace bindery::controller {

/// Inputs of a resource's status besides the work on its target.
struct StatusContext {
  const Catalog& catalog;
  const RemovalHolds& holds;
  const OscillationWatch& oscillation;
  const ClockJudgement& clock;
  std::chrono::milliseconds release_missing{0};  ///< As EngineSettings::release_missing.
};

/// The work on a target and its result.
struct WorkOutcome {
  const TargetUnderWork& work;
  const Error* error = nullptr;  ///< What it failed with; null: it did not.
};

// The status of a resource, by the findings and actions on its target. Pure: nothing is changed.
// All functions require that the resource belongs to the work's target.

/// The first rule that applies: unconditional states, then failures, waiting, refusals, withheld
/// changes, differences; none: everything is as declared. `error`: the failure of the work; null:
/// success.
[[nodiscard]] SharedStatus MakeStatus(const StatusContext& context, const ResourceEntry& entry,
                                      const TargetUnderWork& work, const Error* error);

/// Service agents or default accounts are kept whose number was compared with none, because that of
/// the target's project is not known.
[[nodiscard]] bool KeepsUnchecked(const TargetUnderWork& work);

/// The status that does not depend on the cloud; nothing: the cloud decides.
[[nodiscard]] std::optional<SharedStatus> StatusAnyway(const Catalog& catalog,
                                                       const ResourceEntry& entry);

/// Of the event that tells of a resource's new status; nothing: none does.
[[nodiscard]] std::optional<EventType> ChooseEventType(const ResourceEntry& entry);

}  // namespace bindery::controller
