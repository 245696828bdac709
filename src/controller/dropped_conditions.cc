#include "controller/dropped_conditions.h"

#include <algorithm>
#include <string>

namespace bindery {
namespace {

/// Grants as a kind compares them.
class Comparison {
 public:
  explicit Comparison(const Kind& kind) : rules_(kind.traits().principals) {}

  /// The role and the principal are the same, whatever the conditions.
  [[nodiscard]] bool SameHolderOf(const Grant& a, const Grant& b) const {
    return a.role == b.role && Normal(a.principal) == Normal(b.principal);
  }
  [[nodiscard]] bool HoldsAlways(const std::vector<Grant>& grants, const Grant& wanted) const {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return !grant.condition && SameHolderOf(grant, wanted);
    });
  }
  [[nodiscard]] bool HoldsForATime(const std::vector<Grant>& grants, const Grant& wanted) const {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return grant.condition && SameHolderOf(grant, wanted);
    });
  }
  [[nodiscard]] bool IsSame(const Grant& a, const Grant& b) const {
    return a.condition == b.condition && SameHolderOf(a, b);
  }

 private:
  [[nodiscard]] std::string Normal(const std::string& principal) const {
    return rules_ == nullptr ? principal : rules_->normal(principal);
  }

  const PrincipalRules* rules_;
};

std::string MessageOn(const Grant& dropped) {
  return "the service stored " + dropped.role + " for " + dropped.principal +
         " without its condition, which gives more than is declared: the grant is taken back and "
         "not "
         "written again; declare it without a condition, or grant the role where conditions are "
         "accepted";
}

}  // namespace

std::vector<Grant> DroppedConditionsIn(const WriteJob& job, const Observation& after) {
  const Comparison compare(*job.check->kind);
  std::vector<Grant> dropped;
  for (const Grant& grant : job.plan.adds) {
    if (!grant.condition || compare.HoldsAlways(job.plan.adds, grant)) continue;
    const bool came_without =
        compare.HoldsAlways(after.grants, grant) && !compare.HoldsAlways(job.before.grants, grant);
    if (came_without && !compare.HoldsForATime(after.grants, grant)) dropped.push_back(grant);
  }
  return dropped;
}

void RefuseDroppedConditions(const CheckJob& job, const Desired& desired, const Observation& seen,
                             TargetPlan& plan) {
  const Comparison compare(*job.kind);
  for (const Grant& dropped : job.dropped) {
    const auto left = std::remove_if(plan.adds.begin(), plan.adds.end(), [&](const Grant& grant) {
      return compare.IsSame(grant, dropped);
    });
    if (left == plan.adds.end()) continue;
    plan.adds.erase(left, plan.adds.end());
    bool declared_always = false;
    for (const Claim& claim : desired.claims) {
      const std::vector<Grant>& grants = claim.declaration.grants;
      declared_always = declared_always || compare.HoldsAlways(grants, dropped);
      if (std::none_of(grants.begin(), grants.end(),
                       [&](const Grant& grant) { return compare.IsSame(grant, dropped); })) {
        continue;
      }
      plan.impossible.emplace_back(
          claim.resource,
          ResourceStatus{ResourceState::kStalled, std::string(reason::kConditionDropped),
                         MessageOn(dropped)});
    }
    if (declared_always || compare.HoldsAlways(plan.removes, dropped)) continue;
    for (const Grant& grant : seen.grants) {
      if (!grant.condition && compare.SameHolderOf(grant, dropped)) plan.removes.push_back(grant);
    }
  }
}

void DroppedConditions::Note(const TargetKey& key, const std::vector<Grant>& grants) {
  if (grants.empty()) return;
  std::vector<Grant>& known = dropped_[key];
  for (const Grant& grant : grants) {
    if (std::find(known.begin(), known.end(), grant) == known.end()) known.push_back(grant);
  }
}

std::vector<Grant> DroppedConditions::Of(const TargetKey& key) const {
  const auto found = dropped_.find(key);
  return found == dropped_.end() ? std::vector<Grant>() : found->second;
}

}  // namespace bindery
