#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/drift.h"
#include "core/grant.h"
#include "core/json.h"
#include "core/target.h"

namespace bindery {

enum class PlanAction { kCreate, kUpdate, kDelete, kNone, kHeld };
[[nodiscard]] std::string_view ToString(PlanAction action);  ///< "create", "update", …

/// What the next pass would do to one target.
struct PlannedChange {
  Target target;
  PlanAction action = PlanAction::kNone;
  std::vector<Grant> adds;
  std::vector<Grant> removes;  ///< With kHeld: what the guard would withhold.
  std::vector<std::string> resources;
  /// Nothing is left of the policy afterwards. Implied by kDelete.
  bool empties = false;
  std::optional<Severity> severity;  ///< Of the worst difference; not set where nothing differs.
  std::string note;                  ///< What else a person should know; may be empty.
};

/// {"changes": […], "summary": {"adds", "removes", "targets", "held"}}, in the order given. The
/// summary counts what the changes list: "targets" those with something to do, "held" the removals
/// that would wait for approval. A grant under a condition that time bounds has "timeBounds", as
/// seen from `now`. A restriction policy that loses its last binding restricts nobody
/// any more: its "warning" says so, and its note with whatever else there is to say.
[[nodiscard]] Json PlanReport(const std::vector<PlannedChange>& changes, WallTime now);

/// The plan without the changes of targets that differ less badly, its summary counted anew.
[[nodiscard]] Json PlanAtLeast(Json plan, Severity least);

}  // namespace bindery
