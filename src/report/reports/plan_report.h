#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/access/drift.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "reconcilers/grant_change.h"
#include "report/values/plan_values.h"

namespace bindery::report {

/// The next pass for one target.
struct PlannedChange {
  Target target;
  PlanAction action = PlanAction::kNone;
  PlanStanding standing = PlanStanding::kDeclared;  ///< With kNone.
  reconcilers::TargetPlan plan;  ///< What is written, and what the guard or the evidence lets wait.
  reconcilers::TargetPlan stopped;  ///< What any other gate stops, but for what is only reported.
  std::vector<std::string> resources;
  /// Nothing is left of the policy afterwards. Implied by kDelete.
  bool empties = false;
  std::vector<DriftItem> reported;   ///< Differences that are only reported.
  std::optional<Severity> severity;  ///< Of the worst difference; not set where nothing differs.
  std::string note;                  ///< What else a person should know; may be empty.
};

/// What a change waits for besides an approval; empty: nothing.
[[nodiscard]] std::string WaitsFor(const reconcilers::GrantChange& change);

/// The plan of the changes, in the order given, its times as seen from `now`. What PlannedChange
/// does not tell is added later: why the guard holds, what waits, the error.
[[nodiscard]] PassPlan PlanReport(const std::vector<PlannedChange>& changes, WallTime now);

/// The plan without the changes of targets below the severity, with a new summary.
[[nodiscard]] PassPlan PlanAtLeast(PassPlan plan, Severity least);

/// The plan without the changes that concern one of the resources, with a new summary.
[[nodiscard]] PassPlan PlanWithout(PassPlan plan, const std::set<std::string>& resources);

/// The changes of these targets alone, with a new summary.
[[nodiscard]] PassPlan PlanOfTargets(PassPlan plan, const std::set<Target>& targets);

/// Puts the errors of the manifests into a plan: with the resources, or all there is where `names`
/// is empty. `in_force` tells of a resource whether what it declared before stays in force:
/// `in_force` of its errors.
void AddProblems(PassPlan& plan, const std::vector<ProblemLine>& problems,
                 const std::vector<std::string>& names,
                 const std::function<bool(const std::string& resource)>& in_force = {});

/// How many manifests such a plan is made without, or by an earlier version of theirs, as they have
/// errors. A file that tells no name counts as one.
[[nodiscard]] std::size_t RefusedManifests(const PassPlan& plan);

/// Something is not as declared, or cannot be told yet, whether a pass would do something about it
/// or not. What is suspended does not count by itself.
[[nodiscard]] bool PlanDiffers(const PassPlan& plan);

}  // namespace bindery::report
