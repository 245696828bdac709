#pragma once

#include <optional>

#include "core/settings/target_rules.h"
#include "reconcilers/policy_diff.h"

namespace bindery::reconcilers {

/// The decision of the first rule about the condition of an undeclared grant; nothing: no such
/// rule. Pure.
[[nodiscard]] std::optional<UndeclaredRoles> RuleByCondition(const Grant& grant,
                                                             const Desired& desired);

/// Why an undeclared grant stays, by the configuration and by the rules of the kind; nothing: it is
/// a difference. Pure.
[[nodiscard]] std::optional<KeptAs> ChooseKeptAs(const Grant& grant, const Desired& desired,
                                                 const DiffRules& rules);

/// The same as the reason of Gate::kProtectedPrincipals.
[[nodiscard]] ReasonCode GetReason(KeptAs as);

}  // namespace bindery::reconcilers
