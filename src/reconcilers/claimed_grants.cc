#include "reconcilers/claimed_grants.h"

#include <algorithm>

#include "core/access/claim_part.h"
#include "reconcilers/condition_order.h"
#include "reconcilers/tombstones.h"

namespace bindery::reconcilers {

GrantKey MakeKey(const Grant& grant, const DiffRules& rules) {
  return {grant.role, rules.principals.normal(grant.principal), grant.condition};
}

std::vector<Grant> WithoutDuplicates(const std::vector<Grant>& grants, const DiffRules& rules) {
  std::vector<Grant> unique;
  std::set<GrantKey> seen;
  for (const Grant& grant : grants) {
    if (seen.insert(MakeKey(grant, rules)).second) unique.push_back(grant);
  }
  return unique;
}

ClaimedGrants::ClaimedGrants(const Desired& desired, const std::vector<Grant>& observed,
                             const DiffRules& rules)
    : desired_(desired), rules_(rules), grants_(WithoutDuplicates(observed, rules)) {
  const auto rest = std::stable_partition(
      grants_.begin(), grants_.end(),
      [&rules](const Grant& grant) { return !IsTombstone(grant, rules.principals); });
  tombstones_.assign(rest, grants_.end());
  grants_.erase(rest, grants_.end());
  for (const Grant& grant : grants_) by_role_[grant.role].push_back(grant);
  for (const Claim& claim : desired.claims) {
    const ClaimPart part = ClaimPart::Of(claim.declaration.role);
    if (part.IsWhole() || !part.member.empty() || part.condition != "*") {
      narrow_.push_back(&claim);
    } else {
      roles_.emplace(part.role);
    }
  }
  FindWider();
}

std::vector<Grant> ClaimedGrants::WiderThan(const Claim& claim) const {
  const auto found = wider_.find(&claim);
  return found == wider_.end() ? std::vector<Grant>() : found->second;
}

std::vector<Grant> ClaimedGrants::ListFound(const Claim& claim) const {
  const std::string& part = claim.declaration.role;
  std::vector<Grant> found;
  for (const Grant& grant : IsWholePolicy(part) ? grants_ : OfRole(RoleOfPart(part))) {
    if (Covers(part, grant, rules_.principals.normal)) found.push_back(grant);
  }
  if (!IsGone(claim)) return found;
  LeaveToOthers(claim, found);
  return found;
}

std::vector<Grant> ClaimedGrants::Unclaimed() const {
  std::vector<Grant> unclaimed;
  for (const Grant& grant : grants_) {
    if (IsSetting(grant.role) || IsClaimed(grant)) continue;
    if (!told_wider_.contains(MakeKey(grant, rules_))) unclaimed.push_back(grant);
  }
  return unclaimed;
}

std::vector<Grant> ClaimedGrants::BesideMembers() const {
  std::map<Holder, std::vector<const Claim*>> members;
  std::set<std::string, std::less<>> roles;
  std::vector<const Claim*> others;
  for (const Claim* claim : narrow_) {
    const ClaimPart part = ClaimPart::Of(claim->declaration.role);
    if (part.member.empty()) {
      others.push_back(claim);
      continue;
    }
    members[{std::string(part.role), std::string(part.member)}].push_back(claim);
    roles.emplace(part.role);
  }
  std::vector<Grant> beside;
  if (roles.empty()) return beside;
  for (const Grant& grant : grants_) {
    if (!roles.contains(grant.role) || roles_.contains(grant.role)) continue;
    if (told_wider_.contains(MakeKey(grant, rules_))) continue;
    const auto covers = [&](const Claim* claim) {
      return Covers(claim->declaration.role, grant, rules_.principals.normal);
    };
    const auto own = members.find(GetHolder(grant));
    const bool covered = std::ranges::any_of(others, covers) ||
                         (own != members.end() && std::ranges::any_of(own->second, covers));
    if (!covered) beside.push_back(grant);
  }
  return beside;
}

const std::vector<Grant>& ClaimedGrants::OfRole(std::string_view role) const {
  static const std::vector<Grant> kNone;
  const auto found = by_role_.find(role);
  return found == by_role_.end() ? kNone : found->second;
}

/// A claim on single members, or on one condition, covers no grant under a different condition:
/// this function looks for declared grants whose condition somebody removed.
void ClaimedGrants::FindWider() {
  std::map<Holder, std::vector<std::pair<const Claim*, const Grant*>>> declared;
  for (const Claim* claim : narrow_) {
    if (ClaimPart::Of(claim->declaration.role).IsWhole()) return;
    if (IsGone(*claim)) continue;
    for (const Grant& grant : claim->declaration.grants) {
      if (!grant.condition) continue;
      declared[GetHolder(grant)].emplace_back(claim, &grant);
    }
  }
  if (declared.empty()) return;
  for (const Grant& grant : grants_) {
    const auto candidates = declared.find(GetHolder(grant));
    if (candidates == declared.end()) continue;
    const bool is_declared =
        std::any_of(candidates->second.begin(), candidates->second.end(),
                    [&](const auto& one) { return one.second->condition == grant.condition; });
    if (is_declared || IsCovered(grant)) continue;
    const auto found = std::find_if(candidates->second.begin(), candidates->second.end(),
                                    [&](const auto& one) { return IsWider(grant, *one.second); });
    if (found == candidates->second.end()) continue;
    wider_[found->first].push_back(grant);
    told_wider_.insert(MakeKey(grant, rules_));
  }
}

/// More is permitted, or the same in other words in place of the declared grant.
bool ClaimedGrants::IsWider(const Grant& found, const Grant& wanted) const {
  if (!IsContained(wanted.condition, found.condition)) return false;
  if (!IsContained(found.condition, wanted.condition)) return true;
  const GrantKey key = MakeKey(wanted, rules_);
  return std::none_of(grants_.begin(), grants_.end(),
                      [&](const Grant& grant) { return MakeKey(grant, rules_) == key; });
}

/// A claim speaks of the very grant.
bool ClaimedGrants::IsCovered(const Grant& grant) const {
  return roles_.contains(grant.role) ||
         std::any_of(narrow_.begin(), narrow_.end(), [&](const Claim* claim) {
           return Covers(claim->declaration.role, grant, rules_.principals.normal);
         });
}

/// The remaining members of a role with single declared members stay.
bool ClaimedGrants::IsClaimed(const Grant& grant) const {
  if (roles_.contains(grant.role)) return true;
  return std::any_of(narrow_.begin(), narrow_.end(), [&](const Claim* claim) {
    const ClaimPart part = ClaimPart::Of(claim->declaration.role);
    const bool of_member = !part.member.empty() && part.role == grant.role;
    return of_member || Covers(claim->declaration.role, grant, rules_.principals.normal);
  });
}

/// For a claim with a deleted manifest: without the grants of further declarations, and if
/// undeclared grants are left, without grants that the claim never declared.
void ClaimedGrants::LeaveToOthers(const Claim& gone, std::vector<Grant>& found) const {
  if (gone.declaration.absent) found.clear();
  std::set<GrantKey> own;
  for (const Grant& grant : gone.declaration.grants) own.insert(MakeKey(grant, rules_));
  const auto is_own = [&](const Grant& grant) { return own.contains(MakeKey(grant, rules_)); };
  if (gone.declaration.leaves_others) {
    std::erase_if(found, [&](const Grant& grant) { return !is_own(grant); });
  }
  for (const Claim& other : desired_.claims) {
    if (&other == &gone || IsGone(other) ||
        !Overlap(other.declaration.role, gone.declaration.role)) {
      continue;
    }
    // The remains of a retained manifest do not declare the grants of this manifest.
    const bool left_behind = other.resource.empty() && other.declaration.leaves_others;
    std::erase_if(found, [&](const Grant& grant) {
      return Covers(other.declaration.role, grant, rules_.principals.normal) &&
             !(left_behind && is_own(grant));
    });
  }
}

ClaimedGrants::Holder ClaimedGrants::GetHolder(const Grant& grant) const {
  return {grant.role, rules_.principals.normal(grant.principal)};
}

}  // namespace bindery::reconcilers
