#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reconcilers/policy_diff.h"

namespace bindery::reconcilers {

/// A grant in the form it is compared in: role, principal, condition.
using GrantKey = std::tuple<std::string, std::string, std::optional<Condition>>;
[[nodiscard]] GrantKey MakeKey(const Grant& grant, const DiffRules& rules);

/// Each different grant once, in the first spelling and order.
[[nodiscard]] std::vector<Grant> WithoutDuplicates(const std::vector<Grant>& grants,
                                                   const DiffRules& rules);

/// The grants of one policy, sorted by claims. Pure; `desired` and `rules` outlive the object.
class ClaimedGrants {
 public:
  ClaimedGrants(const Desired& desired, const std::vector<Grant>& observed, const DiffRules& rules);

  /// The grants of deleted principals. They are in none of the below, unless a manifest is gone.
  [[nodiscard]] const std::vector<Grant>& tombstones() const { return tombstones_; }
  /// The present grants within the part that `claim` claims.
  [[nodiscard]] std::vector<Grant> ListFound(const Claim& claim) const;
  /// What nobody claims and permits more than `claim` declares for the same role and principal.
  [[nodiscard]] std::vector<Grant> WiderThan(const Claim& claim) const;
  /// What belongs to no claim, and is not wider than a declared grant.
  [[nodiscard]] std::vector<Grant> Unclaimed() const;
  /// Undeclared grants of roles of which manifests declare single members.
  [[nodiscard]] std::vector<Grant> BesideMembers() const;

 private:
  using Holder = std::pair<std::string, std::string>;  ///< Role and principal.

  [[nodiscard]] Holder GetHolder(const Grant& grant) const;
  [[nodiscard]] const std::vector<Grant>& OfRole(std::string_view role) const;
  void FindWider();
  [[nodiscard]] bool IsWider(const Grant& found, const Grant& wanted) const;
  [[nodiscard]] bool IsCovered(const Grant& grant) const;
  [[nodiscard]] bool IsClaimed(const Grant& grant) const;
  void LeaveToOthers(const Claim& gone, std::vector<Grant>& found) const;

  const Desired& desired_;
  const DiffRules& rules_;
  std::vector<Grant> grants_;  ///< Without the tombstones.
  std::vector<Grant> tombstones_;
  std::map<std::string, std::vector<Grant>, std::less<>> by_role_;
  std::set<std::string, std::less<>> roles_;          ///< That are claimed whole.
  std::vector<const Claim*> narrow_;                  ///< All other claims.
  std::map<const Claim*, std::vector<Grant>> wider_;  ///< As WiderThan().
  std::set<GrantKey> told_wider_;                     ///< All of these.
};

}  // namespace bindery::reconcilers
