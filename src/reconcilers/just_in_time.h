#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/just_in_time.h"
#include "reconcilers/kind.h"
#include "reconcilers/policy_diff.h"

namespace bindery {

/// The grants of a policy, by whether they are access that a service gave on request.
struct JustInTimeSplit {
  std::vector<Grant> compared;    ///< All others, in their order: what is judged.
  std::vector<GrantChange> kept;  ///< Such access: it stays, and is only listed.
  /// Those of the compared that carry the mark of the service, which knows nothing of them.
  std::vector<Grant> imitations;
};

/// Takes access on request out of what is compared: it is neither missing nor too much, and stays
/// whatever is declared beside it. What a manifest declares just so is declared, and nothing else.
/// Pure.
[[nodiscard]] JustInTimeSplit SplitJustInTime(const Desired& desired,
                                              const std::vector<Grant>& observed,
                                              const DiffRules& rules);

/// A recorded policy without what was access on request when it was recorded, which is not brought
/// back. Pure.
[[nodiscard]] std::vector<Grant> WithoutJustInTime(const Desired& desired,
                                                   std::vector<Grant> recorded,
                                                   const DiffRules& rules);

/// The grants that the service has to be asked about before they are compared: those that carry
/// its mark, and those that end and would be differences. None where the form decides. Pure.
[[nodiscard]] std::vector<Grant> JustInTimeQuestions(const Kind& kind, const Desired& desired,
                                                     const Observation& now);

/// Differences that imitate such access are foreign and at least of severity high.
void MarkImitations(const std::vector<Grant>& imitations, const DiffRules& rules, TargetPlan& plan);

}  // namespace bindery
