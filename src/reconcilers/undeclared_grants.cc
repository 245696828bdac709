#include "reconcilers/undeclared_grants.h"

#include "reconcilers/kept_grants.h"

namespace bindery::reconcilers {
namespace {

/// `beside`: manifests declare single members of the role.
UndeclaredRoles ChooseTreatment(const Grant& grant, bool beside, const Desired& desired) {
  const UndeclaredRoles kept =
      desired.report_undeclared ? UndeclaredRoles::kReport : UndeclaredRoles::kKeep;
  const UndeclaredRoles by_default =
      desired.keep_undeclared || beside ? kept : UndeclaredRoles::kRemove;
  const UndeclaredRoles treatment = RuleByCondition(grant, desired).value_or(by_default);
  return beside && treatment == UndeclaredRoles::kRemove ? kept : treatment;
}

/// A rule besides `undeclaredRoles` keeps the grant, without a difference.
bool IsProtected(const Grant& grant, const Desired& desired, const DiffRules& rules) {
  const auto as = ChooseKeptAs(grant, desired, rules);
  return as && *as != KeptAs::kUnknownAgent;
}

}  // namespace

std::map<UndeclaredRoles, std::vector<Grant>> SortUndeclared(const Desired& desired,
                                                             const DiffRules& rules,
                                                             const UndeclaredQuestion& question) {
  std::map<UndeclaredRoles, std::vector<Grant>> sorted;
  const auto sort = [&](const std::vector<Grant>& grants, bool beside) {
    for (const Grant& grant : grants) {
      UndeclaredRoles treatment = ChooseTreatment(grant, beside, desired);
      if (question.doubtful && !beside) treatment = UndeclaredRoles::kRemove;
      const bool told = treatment != UndeclaredRoles::kKeep ||
                        (!question.imitations.contains(MakeKey(grant, rules)) &&
                         !IsProtected(grant, desired, rules));
      if (told) sorted[treatment].push_back(grant);
    }
  };
  sort(question.claimed.Unclaimed(), /*beside=*/false);
  sort(question.claimed.BesideMembers(), /*beside=*/true);
  return sorted;
}

}  // namespace bindery::reconcilers
