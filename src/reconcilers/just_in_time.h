#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/access/just_in_time.h"
#include "reconcilers/kind.h"
#include "reconcilers/policy_diff.h"

namespace bindery::reconcilers {

/// The form of a grant with the mark of `service` (null: no service grants access on request);
/// nothing for other grants. Pure.
[[nodiscard]] std::optional<JustInTimeForm> FindMarkedForm(const JustInTimeService* service,
                                                           const Grant& grant);

/// Takes access on request out of `observed`: it is neither missing nor too much, and stays
/// whatever is declared beside it. `listed` gets the changes that list it, each kept by
/// Gate::kJustInTime. A grant that a manifest declares exactly is declared, and nothing else. Pure.
[[nodiscard]] std::vector<Grant> TakeOutJustInTime(const Desired& desired,
                                                   const std::vector<Grant>& observed,
                                                   const DiffRules& rules, TargetPlan& listed);

/// The `grants` with the mark of the service, which was asked and does not know them.
/// Pure.
[[nodiscard]] std::vector<Grant> ImitationsIn(const std::vector<Grant>& grants,
                                              const Desired& desired, const DiffRules& rules);

/// A recorded policy without its just-in-time access, which is not restored.
/// Pure.
[[nodiscard]] std::vector<Grant> WithoutJustInTime(const Desired& desired,
                                                   std::vector<Grant> recorded,
                                                   const DiffRules& rules);

/// The questions for the service before the comparison, one entry for each grant, without an
/// answer: grants with the service's mark, and ending grants that would be differences. None if the
/// form decides. Pure.
[[nodiscard]] JustInTimeAnswers JustInTimeQuestions(const Kind& kind, const Desired& desired,
                                                    const Observation& now);

/// Differences that imitate such access are foreign and at least of severity high.
void MarkImitations(const std::vector<Grant>& imitations, const DiffRules& rules, TargetPlan& plan);

}  // namespace bindery::reconcilers
