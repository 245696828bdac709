#pragma once

#include <optional>
#include <string>

#include "reconcilers/kind.h"

namespace bindery {

/// How a kind compares and judges grants.
struct DiffRules {
  const PrincipalRules& principals;
  /// Whose differences they are, for those who say how bad they are.
  std::string kind;
  const GrantSeverities* widening = nullptr;  ///< As JudgedDifference::widening.
  /// Undeclared grants that no write removes, although others hold the role by declaration: those
  /// that the provider makes for its own services. The configuration may say otherwise
  /// (Desired::protected_principals). Pure; null: none.
  std::optional<KeptAs> (*keeps)(const Grant& grant, const Desired& desired) = nullptr;
  const JustInTimeService* just_in_time = nullptr;  ///< As KindTraits::just_in_time.
};

/// The rules every kind shares: which grants are missing, undeclared, changed in condition or
/// deleted at their source, and which of these a write repairs. Pure.
[[nodiscard]] TargetPlan DiffGrants(const Desired& desired, const std::vector<Grant>& observed,
                                    const DiffRules& rules);

/// What must be added to and removed from `observed` to hold exactly `wanted`: for bringing back a
/// recorded policy. How it differs from the declared state is not judged meanwhile.
[[nodiscard]] TargetPlan DiffExactly(const Desired& desired, const std::vector<Grant>& wanted,
                                     const std::vector<Grant>& observed, const DiffRules& rules);

}  // namespace bindery
