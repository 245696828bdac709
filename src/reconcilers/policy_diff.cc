#include "reconcilers/policy_diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/severity_rules.h"

namespace bindery {
namespace {

/// A grant in the form it is compared in.
using GrantKey = std::tuple<std::string, std::string, std::optional<Condition>>;

GrantKey KeyOf(const Grant& grant, const DiffRules& rules) {
  return {grant.role, rules.principals.normal(grant.principal), grant.condition};
}

/// Each different grant once, in the first spelling and order.
std::vector<Grant> WithoutDuplicates(const std::vector<Grant>& grants, const DiffRules& rules) {
  std::vector<Grant> unique;
  std::set<GrantKey> seen;
  for (const Grant& grant : grants) {
    if (seen.insert(KeyOf(grant, rules)).second) unique.push_back(grant);
  }
  return unique;
}

/// The conditions differ in nothing but words for people.
bool HoldAlike(const Grant& left, const Grant& right) {
  return left.condition && right.condition &&
         left.condition->expression == right.condition->expression;
}

/// Compares the grants of one claim, or those nobody claims, and adds to the plan.
class ClaimDiff {
 public:
  /// `severities`: as Desired::severities.
  ClaimDiff(const DiffRules& rules, const Desired& desired, const SeverityRules* severities,
            std::string resource, bool repair, TargetPlan& plan)
      : rules_(rules),
        desired_(desired),
        severities_(severities),
        resource_(std::move(resource)),
        repair_(repair),
        plan_(plan) {}

  void Compare(const std::vector<Grant>& wanted, const std::vector<Grant>& found) {
    std::vector<Grant> missing = Difference(wanted, found);
    std::vector<Grant> extra = Difference(found, wanted);
    for (const Grant& grant : missing) {
      if (!PairWithOtherCondition(grant, extra) && !PairWithDeleted(grant, extra)) {
        Report(DriftClass::kMissing, grant, GrantInWords(grant), "absent");
        Repair({grant}, {});
      }
    }
    for (const Grant& grant : extra) {
      if (const auto as = KeptAsIn(grant)) {
        plan_.kept.push_back({grant, *as});
        continue;
      }
      Report(DriftClass::kUndeclared, grant, "absent", GrantInWords(grant));
      Repair({}, {grant});
    }
  }

 private:
  /// Why that undeclared grant stays; nothing: it is a difference.
  [[nodiscard]] std::optional<KeptAs> KeptAsIn(const Grant& grant) const {
    const ProtectedPrincipals* configured = desired_.protected_principals.get();
    if (configured != nullptr) {
      const std::string principal = rules_.principals.normal(grant.principal);
      if (configured->Removes(principal)) return std::nullopt;
      if (configured->Adds(principal)) return KeptAs::kProtected;
    }
    return rules_.keeps == nullptr ? std::nullopt : rules_.keeps(grant, desired_);
  }

  [[nodiscard]] std::vector<Grant> Difference(const std::vector<Grant>& from,
                                              const std::vector<Grant>& without) const {
    std::set<GrantKey> keys;
    for (const Grant& grant : without) keys.insert(KeyOf(grant, rules_));
    std::vector<Grant> rest;
    for (const Grant& grant : from) {
      if (!keys.contains(KeyOf(grant, rules_))) rest.push_back(grant);
    }
    return rest;
  }

  /// The same principal in the same role, under another condition: one difference, not two.
  bool PairWithOtherCondition(const Grant& wanted, std::vector<Grant>& extra) {
    const std::string principal = rules_.principals.normal(wanted.principal);
    const auto twin = std::find_if(extra.begin(), extra.end(), [&](const Grant& grant) {
      return grant.role == wanted.role && rules_.principals.normal(grant.principal) == principal;
    });
    if (twin == extra.end()) return false;
    Report(DriftClass::kConditionChanged, wanted, GrantInWords(wanted), GrantInWords(*twin),
           HoldAlike(wanted, *twin));
    Repair({wanted}, {*twin});
    extra.erase(twin);
    return true;
  }

  /// The policy shows the principal as deleted. Writing its plain form would be refused, and with
  /// it the whole policy; so the entry stays and a person is told.
  bool PairWithDeleted(const Grant& wanted, std::vector<Grant>& extra) {
    const std::string principal = rules_.principals.normal(wanted.principal);
    const auto twin = std::find_if(extra.begin(), extra.end(), [&](const Grant& grant) {
      return grant.role == wanted.role && rules_.principals.deleted(grant.principal) == principal;
    });
    if (twin == extra.end()) return false;
    Report(DriftClass::kPrincipalDeleted, wanted, GrantInWords(wanted),
           "deleted: " + twin->principal);
    plan_.impossible.emplace_back(
        resource_,
        ResourceStatus{ResourceState::kStalled, std::string(reason::kPrincipalDeleted),
                       "\"" + wanted.principal + "\" was deleted (the policy shows \"" +
                           twin->principal + "\"): take it out of the manifest, or restore it"});
    extra.erase(twin);
    return true;
  }

  void Report(DriftClass drift_class, const Grant& grant, std::string desired, std::string observed,
              bool title_only = false) {
    DriftItem item;
    item.drift_class = drift_class;
    item.severity =
        SeverityOf({drift_class, rules_.kind, grant, title_only, rules_.widening}, severities_);
    item.resource = resource_;
    item.grant = grant;
    item.desired = std::move(desired);
    item.observed = std::move(observed);
    plan_.drift.push_back(std::move(item));
  }

  void Repair(const std::vector<Grant>& adds, const std::vector<Grant>& removes) {
    if (!repair_) return;
    plan_.adds.insert(plan_.adds.end(), adds.begin(), adds.end());
    plan_.removes.insert(plan_.removes.end(), removes.begin(), removes.end());
  }

  const DiffRules& rules_;
  const Desired& desired_;
  const SeverityRules* severities_;
  std::string resource_;
  bool repair_;
  TargetPlan& plan_;
};

bool IsRepaired(Treatment treatment) {
  return treatment == Treatment::kEnforce || treatment == Treatment::kRemove;
}

bool AnyClaim(const Desired& desired, Treatment treatment) {
  return std::any_of(desired.claims.begin(), desired.claims.end(),
                     [&](const Claim& claim) { return claim.treatment == treatment; });
}

/// What nobody claims is judged only where something is declared: a policy whose last manifest goes
/// loses what that manifest claimed, not what others put there.
void DiffUnclaimed(const Desired& desired, const std::vector<Grant>& unclaimed,
                   const DiffRules& rules, TargetPlan& plan, TargetPlan& aside) {
  const bool enforced = AnyClaim(desired, Treatment::kEnforce);
  const bool judged = enforced || AnyClaim(desired, Treatment::kObserve);
  const bool doubtful =
      desired.undeclared_in_doubt || (!judged && AnyClaim(desired, Treatment::kFreeze));
  if (!doubtful && (!judged || desired.keep_undeclared)) return;
  ClaimDiff(rules, desired, desired.severities.get(), "", enforced && !doubtful,
            doubtful ? aside : plan)
      .Compare({}, unclaimed);
}

}  // namespace

std::string GrantInWords(const Grant& grant) {
  if (!grant.condition) return "granted";
  const std::string& title = grant.condition->title;
  return "granted if " + (title.empty() ? "" : title + ": ") + grant.condition->expression;
}

TargetPlan DiffGrants(const Desired& desired, const std::vector<Grant>& observed,
                      const DiffRules& rules) {
  TargetPlan plan;
  TargetPlan aside;
  const SeverityRules* severities = desired.severities.get();
  std::map<std::string, std::vector<Grant>> by_role;
  std::vector<std::string> role_order;
  for (const Grant& grant : WithoutDuplicates(observed, rules)) {
    if (!by_role.contains(grant.role)) role_order.push_back(grant.role);
    by_role[grant.role].push_back(grant);
  }

  std::set<std::string> claimed;
  bool all_claimed = false;
  for (const Claim& claim : desired.claims) {
    const bool whole = claim.declaration.role == kWholePolicy;
    all_claimed = all_claimed || whole;
    claimed.insert(claim.declaration.role);
    const std::vector<Grant> found =
        whole ? WithoutDuplicates(observed, rules) : by_role[claim.declaration.role];
    const std::vector<Grant> wanted =
        IsGone(claim) ? std::vector<Grant>{} : WithoutDuplicates(claim.declaration.grants, rules);
    TargetPlan& into = claim.treatment == Treatment::kFreeze ? aside : plan;
    ClaimDiff(rules, desired, severities, claim.resource, IsRepaired(claim.treatment), into)
        .Compare(wanted, found);
  }

  if (!all_claimed) {
    std::vector<Grant> unclaimed;
    for (const std::string& role : role_order) {
      if (claimed.contains(role)) continue;
      unclaimed.insert(unclaimed.end(), by_role[role].begin(), by_role[role].end());
    }
    DiffUnclaimed(desired, unclaimed, rules, plan, aside);
  }
  plan.unjudged = std::move(aside.drift);
  return plan;
}

TargetPlan DiffExactly(const Desired& desired, const std::vector<Grant>& wanted,
                       const std::vector<Grant>& observed, const DiffRules& rules) {
  TargetPlan plan;
  const std::vector<Grant> found = WithoutDuplicates(observed, rules);
  std::set<GrantKey> present;
  for (const Grant& grant : found) present.insert(KeyOf(grant, rules));
  std::vector<Grant> possible;
  for (const Grant& grant : WithoutDuplicates(wanted, rules)) {
    // A deleted principal can stay in a policy but never be put back into one.
    const bool deleted = !rules.principals.deleted(grant.principal).empty();
    if (!deleted || present.contains(KeyOf(grant, rules))) possible.push_back(grant);
  }
  ClaimDiff(rules, desired, nullptr, "", true, plan).Compare(possible, found);
  plan.drift.clear();
  plan.impossible.clear();
  TargetPlan declared = DiffGrants(desired, observed, rules);
  plan.unjudged = std::move(declared.drift);
  plan.unjudged.insert(plan.unjudged.end(), declared.unjudged.begin(), declared.unjudged.end());
  return plan;
}

}  // namespace bindery
