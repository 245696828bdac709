#include "reconcilers/kept_grants.h"

#include <string>

#include "cel/expiry/condition_end.h"

namespace bindery::reconcilers {

std::optional<UndeclaredRoles> RuleByCondition(const Grant& grant, const Desired& desired) {
  for (const ConditionalRule& rule : desired.by_condition) {
    if (rule.condition.Fits(grant.condition, desired.now, cel::FindEnd)) return rule.undeclared;
  }
  return std::nullopt;
}

std::optional<KeptAs> ChooseKeptAs(const Grant& grant, const Desired& desired,
                                   const DiffRules& rules) {
  const ProtectedPrincipals* configured = desired.protected_principals.get();
  const std::string principal =
      configured == nullptr ? "" : rules.principals.normal(grant.principal);
  if (configured != nullptr && configured->Removes(principal)) return std::nullopt;
  const auto undeclared = RuleByCondition(grant, desired);
  if (undeclared == UndeclaredRoles::kRemove) return std::nullopt;
  if (undeclared == UndeclaredRoles::kKeep) return KeptAs::kProtected;
  if (configured != nullptr &&
      (configured->Adds(principal) ||
       configured->Protects(principal, grant.condition, desired.now, cel::FindEnd))) {
    return KeptAs::kProtected;
  }
  return rules.keeps == nullptr ? std::nullopt : rules.keeps(grant, desired);
}

ReasonCode GetReason(KeptAs as) {
  switch (as) {
    case KeptAs::kServiceAgent:
      return ReasonCode::kServiceAgent;
    case KeptAs::kDefaultAccount:
      return ReasonCode::kDefaultAccount;
    case KeptAs::kProtected:
      return ReasonCode::kProtected;
    case KeptAs::kUnknownAgent:
      break;
  }
  return ReasonCode::kUnknownAgent;
}

}  // namespace bindery::reconcilers
