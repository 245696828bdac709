#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims/claims_part.h"
#include "controller/engine/dry_run.h"

namespace bindery::controller {

class Catalog;

/// The part of the claims by which the named resources are planned as with all claims: what is
/// declared on their targets, and what that needs. Nothing where the plan may depend on more: some
/// resource of the part is not simply in force, or names of projects are not known.
[[nodiscard]] std::optional<ClaimsPart> FindPart(const Catalog& catalog,
                                                 const std::vector<std::string>& names);

/// The resources in force on some targets, for a plan of all targets in parts.
struct PlannedPart {
  ClaimsPart claims;                    ///< As of FindPart(names).
  std::vector<std::string> names = {};  ///< On some of the targets.
  /// On the other targets, with the target: FindPart() finds nothing.
  std::vector<std::pair<std::string, TargetKey>> others = {};
};

/// The part of the targets. A target that is gone is passed over. Nothing where no part is found,
/// whatever the target.
[[nodiscard]] std::optional<PlannedPart> FindPlannedPart(const Catalog& catalog,
                                                         std::span<const TargetKey> targets);

/// What a run of a part of the claims leaves open.
struct OpenOutcomes {
  /// On targets where a run with all removals may foresee something else: the guard judges removals
  /// together with the removals of all other targets. With the resources that need one of these.
  std::set<std::string> resources = {};
  /// Of some of the targets only a run of all claims tells.
  bool need_all = false;

  /// A run of all claims foresees the same.
  [[nodiscard]] bool empty() const { return resources.empty() && !need_all; }
};

[[nodiscard]] OpenOutcomes FindOpenOutcomes(const DryRun& run);

}  // namespace bindery::controller
