#include "reconcilers/policy_diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
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

  /// `named`: the claim names the very members of `found`, so that none of them is kept.
  void Compare(const std::vector<Grant>& wanted, const std::vector<Grant>& found,
               bool named = false) {
    std::vector<Grant> missing = Difference(wanted, found);
    std::vector<Grant> extra = Difference(found, wanted);
    for (const Grant& grant : missing) {
      if (!PairWithOtherCondition(grant, extra) && !PairWithDeleted(grant, extra)) {
        Report(DriftClass::kMissing, grant, GrantInWords(grant), "absent");
        Repair({grant}, {});
      }
    }
    for (const Grant& grant : extra) {
      const auto as = named ? std::nullopt : KeptAsIn(grant);
      if (as) plan_.kept.push_back({grant, *as});
      if (as && *as != KeptAs::kUnknownAgent) continue;
      Report(DriftClass::kUndeclared, grant, "absent", GrantInWords(grant));
      if (!as) Repair({}, {grant});
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

bool IsRepaired(ManagementPolicy treatment) {
  return treatment == ManagementPolicy::kEnforce || treatment == ManagementPolicy::kRemove;
}

/// What settings of a policy are declared says nothing of its grants.
bool AnyClaim(const Desired& desired, ManagementPolicy treatment) {
  return std::any_of(desired.claims.begin(), desired.claims.end(), [&](const Claim& claim) {
    return claim.treatment == treatment && !IsSetting(claim.declaration.role);
  });
}

/// What nobody claims is judged only where something is declared: a policy whose last manifest goes
/// loses what that manifest claimed, not what others put there.
void DiffUnclaimed(const Desired& desired, const std::vector<Grant>& unclaimed,
                   const DiffRules& rules, TargetPlan& plan, TargetPlan& aside) {
  const bool enforced = AnyClaim(desired, ManagementPolicy::kEnforce);
  const bool judged = enforced || AnyClaim(desired, ManagementPolicy::kObserve);
  const bool doubtful =
      desired.undeclared_in_doubt || (!judged && AnyClaim(desired, ManagementPolicy::kPause));
  if (!doubtful && (!judged || desired.keep_undeclared)) return;
  ClaimDiff(rules, desired, desired.severities.get(), "", enforced && !doubtful,
            doubtful ? aside : plan)
      .Compare({}, unclaimed);
}

/// The grants of one policy, by what is claimed of it.
class Claimed {
 public:
  Claimed(const Desired& desired, const std::vector<Grant>& observed, const DiffRules& rules)
      : desired_(desired), rules_(rules), grants_(WithoutDuplicates(observed, rules)) {
    for (const Grant& grant : grants_) by_role_[grant.role].push_back(grant);
    for (const Claim& claim : desired.claims) {
      const ClaimPart part = ClaimPart::Of(claim.declaration.role);
      if (part.IsWhole() || !part.member.empty() || part.condition != "*") {
        narrow_.push_back(&claim);
      } else {
        roles_.emplace(part.role);
      }
    }
  }

  /// What is there of the part that `claim` claims.
  [[nodiscard]] std::vector<Grant> FoundOf(const Claim& claim) const {
    const std::string& part = claim.declaration.role;
    std::vector<Grant> found;
    for (const Grant& grant : IsWholePolicy(part) ? grants_ : OfRole(RoleOfPart(part))) {
      if (Covers(part, grant, rules_.principals.normal)) found.push_back(grant);
    }
    if (found.empty() && !claim.declaration.absent) AddDeletedMember(ClaimPart::Of(part), found);
    if (IsGone(claim)) LeaveToOthers(claim, found);
    return found;
  }

  /// What belongs to no claim.
  [[nodiscard]] std::vector<Grant> Unclaimed() const {
    std::vector<Grant> unclaimed;
    for (const Grant& grant : grants_) {
      if (!IsSetting(grant.role) && !IsClaimed(grant)) unclaimed.push_back(grant);
    }
    return unclaimed;
  }

 private:
  [[nodiscard]] const std::vector<Grant>& OfRole(std::string_view role) const {
    static const std::vector<Grant> kNone;
    const auto found = by_role_.find(role);
    return found == by_role_.end() ? kNone : found->second;
  }

  /// The other members of a role of which single members are declared stay.
  [[nodiscard]] bool IsClaimed(const Grant& grant) const {
    if (roles_.contains(grant.role)) return true;
    return std::any_of(narrow_.begin(), narrow_.end(), [&](const Claim* claim) {
      const ClaimPart part = ClaimPart::Of(claim->declaration.role);
      const bool of_member = !part.member.empty() && part.role == grant.role;
      return of_member || Covers(claim->declaration.role, grant, rules_.principals.normal);
    });
  }

  /// Of a claim whose manifest is gone: without what others declare, and where the rest is to be
  /// left, without what it never declared.
  void LeaveToOthers(const Claim& gone, std::vector<Grant>& found) const {
    if (gone.declaration.absent) found.clear();
    std::set<GrantKey> own;
    for (const Grant& grant : gone.declaration.grants) own.insert(KeyOf(grant, rules_));
    const auto is_own = [&](const Grant& grant) { return own.contains(KeyOf(grant, rules_)); };
    if (gone.declaration.leaves_others) {
      std::erase_if(found, [&](const Grant& grant) { return !is_own(grant); });
    }
    for (const Claim& other : desired_.claims) {
      if (&other == &gone || IsGone(other) ||
          !Overlap(other.declaration.role, gone.declaration.role)) {
        continue;
      }
      // What a retained manifest left behind is nobody's declaration of what this one granted.
      const bool left_behind = other.resource.empty() && other.declaration.leaves_others;
      std::erase_if(found, [&](const Grant& grant) {
        return Covers(other.declaration.role, grant, rules_.principals.normal) &&
               !(left_behind && is_own(grant));
      });
    }
  }

  /// One member is declared, and the policy shows it as deleted.
  void AddDeletedMember(const ClaimPart& part, std::vector<Grant>& found) const {
    if (part.member.empty()) return;
    for (const Grant& grant : OfRole(part.role)) {
      const bool same = part.condition == "*" || part.condition == ConditionOfPart(grant.condition);
      if (same && rules_.principals.deleted(grant.principal) == part.member) found.push_back(grant);
    }
  }

  const Desired& desired_;
  const DiffRules& rules_;
  std::vector<Grant> grants_;
  std::map<std::string, std::vector<Grant>, std::less<>> by_role_;
  std::set<std::string, std::less<>> roles_;  ///< That are claimed whole.
  std::vector<const Claim*> narrow_;          ///< All other claims.
};

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
  const Claimed claimed(desired, observed, rules);
  for (const Claim& claim : desired.claims) {
    const std::vector<Grant> wanted =
        IsGone(claim) ? std::vector<Grant>{} : WithoutDuplicates(claim.declaration.grants, rules);
    TargetPlan& into = claim.treatment == ManagementPolicy::kPause ? aside : plan;
    ClaimDiff(rules, desired, desired.severities.get(), claim.resource, IsRepaired(claim.treatment),
              into)
        .Compare(wanted, claimed.FoundOf(claim),
                 !ClaimPart::Of(claim.declaration.role).member.empty());
  }
  DiffUnclaimed(desired, claimed.Unclaimed(), rules, plan, aside);
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
