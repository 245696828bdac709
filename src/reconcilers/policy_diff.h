#pragma once

#include <optional>
#include <string>

#include "reconcilers/kind.h"

namespace bindery::reconcilers {

/// How a kind compares and judges grants.
struct DiffRules {
  const PrincipalRules& principals;
  /// The subject of the differences, for the severity rules.
  std::string kind;
  const GrantSeverities* widening = nullptr;  ///< As JudgedDifference::widening.
  /// Undeclared grants that no write removes, in a declared role: grants that the provider makes
  /// for its own services. The configuration may decide differently
  /// (Desired::protected_principals). Pure; null: none.
  std::optional<KeptAs> (*keeps)(const Grant& grant, const Desired& desired) = nullptr;
  const JustInTimeService* just_in_time = nullptr;  ///< As KindTraits::just_in_time.
};

/// The common rules of all kinds: missing, undeclared, changed and deleted grants, and the repairs
/// of a write. Pure.
[[nodiscard]] TargetPlan DiffGrants(const Desired& desired, const std::vector<Grant>& observed,
                                    const DiffRules& rules);

/// What must be added to and removed from `observed` to hold exactly `wanted`: for bringing back a
/// recorded policy. How it differs from the declared state is not judged meanwhile.
[[nodiscard]] TargetPlan DiffExactly(const Desired& desired, const std::vector<Grant>& wanted,
                                     const std::vector<Grant>& observed, const DiffRules& rules);

}  // namespace bindery::reconcilers
