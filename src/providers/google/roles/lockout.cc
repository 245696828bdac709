#include "providers/google/roles/lockout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/expiry/time_bounds.h"
#include "cel/syntax/parser.h"
#include "core/access/status.h"
#include "providers/google/roles/basic_roles.h"
#include "providers/google/roles/members.h"
#include "providers/google/roles/role_severities.h"

namespace bindery::google {
namespace {

struct PolicySetter {
  std::string_view role;
  std::string_view types;
};

constexpr PolicySetter kSetters[] = {
#include "providers/google/roles/policy_setters.inc"
};

/// A role whose last holder is kept. Google does not refuse to remove it from a project of an
/// organization, a folder, an organization or a billing account.
struct GoverningRole {
  std::string_view role;
  /// A second role with the same power: one holder without a condition is enough.
  std::string_view or_role = {};
};
constexpr GoverningRole kGoverningRoles[] = {{"roles/owner"},
                                             {"roles/admin", "roles/owner"},
                                             {"roles/resourcemanager.organizationAdmin"},
                                             {"roles/billing.admin"}};

bool Same(const Grant& a, const Grant& b) {
  return a.role == b.role && a.condition == b.condition &&
         NormalMember(a.principal) == NormalMember(b.principal);
}

bool Contains(const std::vector<Grant>& grants, const Grant& wanted) {
  return std::any_of(grants.begin(), grants.end(),
                     [&](const Grant& grant) { return Same(grant, wanted); });
}

/// The condition does not rule out the time; nor does an unreadable condition.
bool MayHoldAt(const Grant& grant, WallTime time) {
  if (!grant.condition) return true;
  const auto tree = cel::Parse(grant.condition->expression);
  if (!tree) return true;
  const cel::TimePhase phase = cel::TimeBounds::Of(**tree).PhaseAt(cel::ToCelTimestamp(time));
  return phase == cel::TimePhase::kUnbounded || phase == cel::TimePhase::kWithin;
}

/// By the time alone its condition is not false then, nor without a value. That says nothing of
/// later times: such a grant is something to lose, and nothing to rely on.
bool HoldsAt(const Grant& grant, WallTime time) {
  if (!grant.condition) return true;
  const auto tree = cel::Parse(grant.condition->expression);
  if (!tree) return true;
  cel::Activation activation = cel::IamActivation();
  activation.Set("request.time", cel::Value(cel::ToCelTimestamp(time)));
  const cel::Outcome outcome = cel::Evaluate(**tree, activation);
  if (std::holds_alternative<cel::Unknown>(outcome)) return true;
  const auto* value = std::get_if<cel::Value>(&outcome);
  const bool* truth = value == nullptr ? nullptr : value->As<bool>();
  return truth != nullptr && *truth;
}

/// Grants that hold throughout the time, as far as time decides.
std::vector<Grant> GrantsInForce(const std::vector<Grant>& grants, const TimeSpan& time) {
  std::vector<Grant> in_force;
  std::copy_if(grants.begin(), grants.end(), std::back_inserter(in_force),
               [&time](const Grant& grant) {
                 return MayHoldAt(grant, time.earliest) && MayHoldAt(grant, time.latest);
               });
  return in_force;
}

/// The grants of the policy after the write.
std::vector<Grant> GrantsAfter(const reconcilers::TargetPlan& plan,
                               const reconcilers::Observation& now) {
  const std::vector<Grant> removes = plan.removes();
  std::vector<Grant> after;
  for (const Grant& grant : now.grants) {
    if (!Contains(removes, grant)) after.push_back(grant);
  }
  std::ranges::move(plan.adds(), std::back_inserter(after));
  return after;
}

/// Each text once, separated by ", ".
std::string Join(const std::vector<Grant>& grants, std::string Grant::*text) {
  std::set<std::string> texts;
  for (const Grant& grant : grants) texts.insert(grant.*text);
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The prefix of the row's permissions: "pubsub.topics", or the service where it is unknown.
std::string_view GetPermissions(const IamRow& row) {
  return row.permission.empty() ? row.service : row.permission;
}

SetsPolicy InTypes(std::string_view types, std::string_view permissions) {
  const std::string_view service = permissions.substr(0, permissions.find('.'));
  SetsPolicy found = SetsPolicy::kNo;
  while (!types.empty()) {
    const std::string_view type = types.substr(0, types.find(' '));
    types.remove_prefix(std::min(types.size(), type.size() + 1));
    if (type == "*" || type == permissions || type == service) return SetsPolicy::kYes;
    if (type == "?") found = SetsPolicy::kMaybe;
  }
  return found;
}

/// What `own` may do about the policy by the grants alone.
class OwnAccess {
 public:
  OwnAccess(const IamRow& row, const std::string& own, const std::vector<Grant>& grants) {
    for (const Grant& grant : grants) {
      if (NormalMember(grant.principal) != own) continue;
      const SetsPolicy sets = JudgeSetsPolicy(grant.role, row);
      if (sets == SetsPolicy::kNo) continue;
      sure_ = sure_ || (sets == SetsPolicy::kYes && !grant.condition);
      grants_.push_back(grant);
    }
  }

  /// `after` is not as good.
  [[nodiscard]] bool IsLostIn(const OwnAccess& after) const {
    if (after.sure_ || grants_.empty()) return false;
    return sure_ || std::none_of(grants_.begin(), grants_.end(),
                                 [&](const Grant& grant) { return after.Keeps(grant); });
  }

  /// No grant here could let the principal set the policy.
  [[nodiscard]] bool IsNone() const { return grants_.empty(); }

 private:
  /// The same, but for words for people.
  [[nodiscard]] bool Keeps(const Grant& before) const {
    const auto expression = [](const Grant& grant) {
      return grant.condition ? grant.condition->expression : std::string();
    };
    return std::any_of(grants_.begin(), grants_.end(), [&](const Grant& grant) {
      return grant.role == before.role && expression(grant) == expression(before);
    });
  }

  std::vector<Grant> grants_;
  bool sure_ = false;
};

std::optional<RefusedRemovals> RefuseSelfLockout(const IamRow& row,
                                                 const std::vector<Grant>& removes,
                                                 const reconcilers::Observation& now,
                                                 const std::vector<Grant>& after,
                                                 const std::string& own) {
  const std::string normal = NormalMember(own);
  if (normal.empty()) return std::nullopt;
  if (!OwnAccess(row, normal, now.grants).IsLostIn(OwnAccess(row, normal, after))) {
    return std::nullopt;
  }
  RefusedRemovals refused;
  refused.reason = reconcilers::ReasonCode::kSelfLockout;
  for (const Grant& grant : removes) {
    if (NormalMember(grant.principal) == normal) refused.grants.push_back(grant);
  }
  refused.message = Join(refused.grants, &Grant::role) + " is not removed from " + own +
                    ": bindery signs in as this principal and could not write the policy any more; "
                    "declare a role for it that can, or allow it (targets: selfLockout: allow)";
  return refused;
}

/// A grant that surely lets somebody set the policy.
bool IsSetter(const IamRow& row, const Grant& grant) {
  return !grant.condition && DeletedMember(grant.principal).empty() &&
         JudgeSetsPolicy(grant.role, row) == SetsPolicy::kYes;
}

/// It is unknown by which grant bindery sets the policy of a container: the own principal is
/// unknown, or has no grant of its own and may be a member of a group.
bool MayBeAnySetter(const IamRow& row, const reconcilers::Observation& now,
                    const std::string& own) {
  if (!row.container) return false;
  const std::string normal = NormalMember(own);
  return normal.empty() || OwnAccess(row, normal, now.grants).IsNone();
}

std::optional<RefusedRemovals> RefuseLastSetter(const IamRow& row,
                                                const std::vector<Grant>& removes,
                                                const reconcilers::Observation& now,
                                                const std::vector<Grant>& after,
                                                const std::string& own) {
  if (!MayBeAnySetter(row, now, own)) return std::nullopt;
  const auto sets = [&](const Grant& grant) { return IsSetter(row, grant); };
  if (std::any_of(after.begin(), after.end(), sets)) return std::nullopt;
  RefusedRemovals refused;
  refused.reason = reconcilers::ReasonCode::kSelfLockout;
  std::copy_if(removes.begin(), removes.end(), std::back_inserter(refused.grants), sets);
  if (refused.grants.empty()) return std::nullopt;
  refused.message = Join(refused.grants, &Grant::role) + " is not removed from " +
                    Join(refused.grants, &Grant::principal) +
                    ": nothing else in the policy lets anybody write it, and bindery may have its "
                    "access from there; ";
  refused.message += own.empty() ? "name bindery's principal (providers: principal)"
                                 : "grant " + own + " a role that can";
  refused.message += ", or allow it (targets: selfLockout: allow)";
  return refused;
}

bool IsHolder(const Grant& grant, std::string_view role) {
  return grant.role == role && DeletedMember(grant.principal).empty();
}

std::optional<RefusedRemovals> RefuseLastOwner(const GoverningRole& governing,
                                               const std::vector<Grant>& removes,
                                               const reconcilers::Observation& now,
                                               const std::vector<Grant>& after,
                                               const TimeSpan& time) {
  const std::string_view role = governing.role;
  const auto holds = [&](const Grant& grant) { return IsHolder(grant, role); };
  const auto governs_too = [&](const Grant& grant) {
    return IsHolder(grant, governing.or_role) && !grant.condition;
  };
  if (std::any_of(after.begin(), after.end(), governs_too)) return std::nullopt;
  const auto holds_now = [&](const Grant& grant) {
    return holds(grant) && HoldsAt(grant, time.earliest) && HoldsAt(grant, time.latest);
  };
  const auto holds_always = [&](const Grant& grant) { return holds(grant) && !grant.condition; };
  const bool always = std::any_of(now.grants.begin(), now.grants.end(), holds_always);
  const bool kept = always ? std::any_of(after.begin(), after.end(), holds_always)
                           : std::any_of(after.begin(), after.end(), holds_now);
  if (kept) return std::nullopt;
  RefusedRemovals refused;
  refused.reason = reconcilers::ReasonCode::kLastOwner;
  std::copy_if(removes.begin(), removes.end(), std::back_inserter(refused.grants), holds);
  if (refused.grants.empty()) return std::nullopt;
  refused.message = std::string(role) +
                    " is not removed: " + Join(refused.grants, &Grant::principal) +
                    (refused.grants.size() == 1 ? " is the last holder" : " are the last holders") +
                    "; declare another holder, or allow it (targets: lastOwner: allow)";
  return refused;
}

}  // namespace

SetsPolicy JudgeSetsPolicy(std::string_view role, const IamRow& row) {
  constexpr std::string_view kPredefined = "roles/";
  if (!role.starts_with(kPredefined)) return SetsPolicy::kMaybe;
  if (FindBasicRole(role) != nullptr) {
    return ReachesBasic(role, BasicReach::kOwns) ? SetsPolicy::kYes : SetsPolicy::kNo;
  }
  for (const PolicySetter& setter : kSetters) {
    if (setter.role == role) return InTypes(setter.types, GetPermissions(row));
  }
  return PredefinedRoleSeverity(role) ? SetsPolicy::kNo : SetsPolicy::kMaybe;
}

std::vector<RefusedRemovals> RefuseLockout(const IamRow& row,
                                           const reconcilers::TargetPlan& planned,
                                           const reconcilers::Observation& seen,
                                           const std::string& own, const TimeSpan& time) {
  std::vector<RefusedRemovals> all;
  const std::vector<Grant> removes = GrantsInForce(planned.removes(), time);
  if (removes.empty()) return all;
  reconcilers::Observation now;
  now.grants = GrantsInForce(seen.grants, time);
  std::vector<Grant> after = GrantsInForce(GrantsAfter(planned, seen), time);
  if (auto refused = RefuseSelfLockout(row, removes, now, after, own)) {
    all.push_back(*std::move(refused));
  }
  if (!row.container) return all;
  const std::vector<RefusedRemovals> own_access = all;
  for (const GoverningRole& governing : kGoverningRoles) {
    if (auto refused = RefuseLastOwner(governing, removes, now, after, time)) {
      // The same rule allows both: the owner that stays counts for the administrators.
      after.insert(after.end(), refused->grants.begin(), refused->grants.end());
      all.push_back(*std::move(refused));
    }
  }
  for (const RefusedRemovals& refused : own_access) {
    after.insert(after.end(), refused.grants.begin(), refused.grants.end());
  }
  if (auto refused = RefuseLastSetter(row, removes, now, after, own)) {
    all.push_back(*std::move(refused));
  }
  return all;
}

}  // namespace bindery::google
