#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/just_in_time.h"
#include "reconcilers/kind.h"
#include "reconcilers/policy_diff.h"

namespace bindery {

/// Takes access on request out of `observed`: it is neither missing nor too much, and stays
/// whatever is declared beside it. `listed` gets the changes that list it, each kept by
/// Gate::kJustInTime. The declaration of a manifest just so is declared, and nothing else. Pure.
[[nodiscard]] std::vector<Grant> TakeOutJustInTime(const Desired& desired,
                                                   const std::vector<Grant>& observed,
                                                   const DiffRules& rules, TargetPlan& listed);

/// Those of `grants` that carry the mark of the service, which was asked and knows nothing of them.
/// Pure.
[[nodiscard]] std::vector<Grant> ImitationsIn(const std::vector<Grant>& grants,
                                              const Desired& desired, const DiffRules& rules);

/// A recorded policy without what was access on request when it was recorded, which is not brought
/// back. Pure.
[[nodiscard]] std::vector<Grant> WithoutJustInTime(const Desired& desired,
                                                   std::vector<Grant> recorded,
                                                   const DiffRules& rules);

/// What the service has to be asked before the policy is compared, one entry for each grant,
/// without an answer: those that carry its mark, and those that end and would be differences. None
/// where the form decides. Pure.
[[nodiscard]] JustInTimeAnswers JustInTimeQuestions(const Kind& kind, const Desired& desired,
                                                    const Observation& now);

/// Differences that imitate such access are foreign and at least of severity high.
void MarkImitations(const std::vector<Grant>& imitations, const DiffRules& rules, TargetPlan& plan);

}  // namespace bindery
