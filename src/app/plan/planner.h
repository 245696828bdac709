#pragma once

#include <string>
#include <vector>

#include "controller/engine/dry_run.h"
#include "core/base/expected.h"
#include "report/values/plan_values.h"

namespace bindery::app {

/// Whether a plan of the resources can be made: kNotFound for an unknown name, kFailedPrecondition
/// for one that is not in force.
[[nodiscard]] Expected<void> CheckPlanned(const controller::Catalog& catalog,
                                          const std::vector<std::string>& names);

/// What a pass would change: on the targets of the resources, or on all when `names` is empty.
/// Targets that cannot be read are among the errors. Works the run, and blocks.
[[nodiscard]] Expected<report::PassPlan> MakePlan(controller::DryRun& run,
                                                  const std::vector<std::string>& names,
                                                  const controller::DryRun::Reads& reads);

/// Puts into a plan the errors of the manifests that the run scanned.
void AddProblemsFor(const controller::DryRun& run, const std::vector<std::string>& names,
                    report::PassPlan& plan);

/// The errors of the manifests that the run scanned.
[[nodiscard]] std::vector<report::ProblemLine> ListProblems(const controller::DryRun& run);

}  // namespace bindery::app
