#pragma once

#include <cstddef>
#include <functional>
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

/// The state of a target to which nothing is to be done. Only kDeclared is as the manifests say.
enum class PlanStanding {
  kDeclared,
  kObserved,   ///< It differs, and that is only reported (mode observe).
  kSuspended,  ///< What is declared there, or some of it, is suspended; nothing else differs.
  kStalled,    ///< What is declared there cannot be brought about; the note says why.
};
[[nodiscard]] std::string_view ToString(PlanStanding standing);  ///< "declared", "observed", …

/// What the next pass would do to one target.
struct PlannedChange {
  Target target;
  PlanAction action = PlanAction::kNone;
  PlanStanding standing = PlanStanding::kDeclared;  ///< With kNone.
  std::vector<Grant> adds;
  std::vector<Grant> removes;  ///< With kHeld: what the guard would withhold.
  /// Why each of them waits for the manifests directory, or for a person; empty where it does not.
  std::vector<std::string> waits = {};
  std::vector<std::string> resources;
  /// Nothing is left of the policy afterwards. Implied by kDelete.
  bool empties = false;
  std::vector<DriftItem> reported;   ///< Differences that are only reported.
  std::optional<Severity> severity;  ///< Of the worst difference; not set where nothing differs.
  std::string note;                  ///< What else a person should know; may be empty.
};

/// {"changes": […], "summary": {"adds", "removes", "targets", "held", "observed",
/// "suspended", "stalled", "waits"}}, in the order given. The summary counts what the changes list:
/// "targets" those with something to do, "held" the removals that would wait for approval,
/// "waits" those that wait for something else, which "waits" of the grant names, the others the
/// targets in that state with nothing to do. What is only reported is in "reported" of the change.
/// A grant under a condition that time bounds has "timeBounds", as seen from `now`. A restriction
/// policy that loses its last binding restricts nobody any more: its "warning" says so, and its
/// note with whatever else there is to say.
[[nodiscard]] Json PlanReport(const std::vector<PlannedChange>& changes, WallTime now);

/// The plan without the changes of targets below that severity, with a new summary.
[[nodiscard]] Json PlanAtLeast(Json plan, Severity least);

/// Puts what is wrong with the manifests into a plan, as "problems": with these resources, or all
/// there is where `names` is empty. `in_force` tells of a resource whether what it declared before
/// stays in force: "inForce" of its errors.
void AddProblems(Json& plan, const Json& problems, const std::vector<std::string>& names,
                 const std::function<bool(const std::string& resource)>& in_force = {});

/// How many manifests such a plan is made without, or by an earlier version of theirs, as they have
/// errors. A file that tells no name counts as one.
[[nodiscard]] std::size_t RefusedManifests(const Json& plan);

/// Something is not as declared, or cannot be told yet, whether a pass would do something about it
/// or not. What is suspended does not count by itself.
[[nodiscard]] bool PlanDiffers(const Json& plan);

}  // namespace bindery
