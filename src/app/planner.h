#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "controller/engine.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// Why removals on a target wait for the manifests directory, or for a person; empty: they do not.
struct RemovalWaits {
  std::map<std::string, std::string> by_role = {};  ///< Of roles that somebody claims there.
  std::string of_others = {};                       ///< Of what nobody claims.
};

/// One target a plan looks at.
struct PlanTask {
  CheckJob job;
  std::set<std::string> suspended = {};     ///< Names, of who declares something there.
  std::vector<std::string> contested = {};  ///< Roles that several claim and nobody holds.
  /// Whom those that are declared there need to be as declared first, by name.
  std::map<std::string, std::vector<std::string>> needs = {};
  RemovalWaits removal_waits = {};
  CallLane lane = {};  ///< What its read shares with others.
};

/// What a plan is made of.
struct PlanScope {
  std::vector<PlanTask> tasks;
  /// Of those that are needed and not looked at, who is not as declared and will not be.
  std::set<std::string> unsettled = {};
  /// Manifests of which nobody can tell yet what they declare, as they refer to outputs that are
  /// not known: [{"resource", "message"}].
  Json waiting = Json::array();
  std::map<std::string, std::int64_t> declared_on = {};  ///< Grants, by provider.
};

/// What the next pass would check: the targets of these resources, or all when `names` is empty.
/// kNotFound for an unknown name. On the thread that owns the catalog.
[[nodiscard]] Expected<PlanScope> PlanScopeOf(const Catalog& catalog,
                                              const Engine::Connections& connections,
                                              const std::vector<std::string>& names,
                                              const Now& now);

/// Reads the target of each task, at most `concurrency` at once. Blocks. `told` hears how many were
/// read, on any thread; it may be empty.
[[nodiscard]] std::vector<CheckResult> ReadTargets(
    const std::vector<PlanTask>& tasks, std::size_t concurrency,
    const std::function<void(std::size_t done)>& told = {});

/// What a pass would change, by what was read: one result for each task.
[[nodiscard]] Json PlanOf(const PlanScope& scope, std::vector<CheckResult> checked,
                          const Guard& guard);

/// Reads every target, at most `concurrency` at once, and says what a pass would change: the shape
/// of `bindery plan -o json`. Writes nothing. Targets that cannot be read are listed under
/// "errors".
[[nodiscard]] Json MakePlan(const PlanScope& scope, const Guard& guard, std::size_t concurrency);

}  // namespace bindery
