#include "reconcilers/grant_comparison.h"

#include <algorithm>

#include "reconcilers/kind.h"

namespace bindery::reconcilers {

GrantComparison GrantComparison::Of(const Kind* kind) {
  return GrantComparison(kind == nullptr ? nullptr : kind->traits().principals);
}

bool GrantComparison::IsSameHolder(const Grant& a, const Grant& b) const {
  return a.role == b.role && Normal(a.principal) == Normal(b.principal);
}

bool GrantComparison::IsSame(const Grant& a, const Grant& b) const {
  return a.condition == b.condition && IsSameHolder(a, b);
}

bool GrantComparison::Holds(const std::vector<Grant>& grants, const Grant& wanted) const {
  return std::any_of(grants.begin(), grants.end(),
                     [&](const Grant& grant) { return IsSame(grant, wanted); });
}

bool GrantComparison::HoldsAlways(const std::vector<Grant>& grants, const Grant& wanted) const {
  return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
    return !grant.condition && IsSameHolder(grant, wanted);
  });
}

bool GrantComparison::HoldsUnderCondition(const std::vector<Grant>& grants,
                                          const Grant& wanted) const {
  return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
    return grant.condition && grant.condition->expression == wanted.condition->expression &&
           IsSameHolder(grant, wanted);
  });
}

std::string GrantComparison::Normal(const std::string& principal) const {
  return rules_ == nullptr ? principal : rules_->normal(principal);
}

}  // namespace bindery::reconcilers
