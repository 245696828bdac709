#include "providers/google/roles/severities.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/text/ascii.h"
#include "providers/google/roles/basic_roles.h"
#include "providers/google/roles/role_severities.h"
#include "providers/google/roles/service_agents.h"

namespace bindery::google {
namespace {

/// What the severity of a grant follows from. Capitals in names do not matter.
struct RankedGrant {
  explicit RankedGrant(const Grant& grant)
      : table(PredefinedRoleSeverity(grant.role)),
        role(AsciiLower(grant.role)),
        member(AsciiLower(grant.principal)),
        principal(grant.principal) {}

  std::optional<Severity> table;
  std::string role;
  std::string member;
  const std::string& principal;  ///< Of the grant, which outlives it.

  /// An actor who turns logs off, or exempts an account from logs, hides actions.
  [[nodiscard]] bool is_setting() const { return role.starts_with("auditconfigs/"); }
  [[nodiscard]] bool is_agent_role() const {
    return role.find("serviceagent") != std::string::npos;
  }
  [[nodiscard]] bool is_full_role() const { return ReachesBasic(role, BasicReach::kChanges); }
  [[nodiscard]] bool is_named_admin() const {
    return role.find("admin") != std::string::npos || role.find("owner") != std::string::npos;
  }
  [[nodiscard]] bool is_for_everybody() const {
    return member == "allusers" || member == "allauthenticatedusers";
  }
  [[nodiscard]] bool is_for_agent() const { return IsOfGoogle(principal); }
  /// What the role is worth on a project: an unknown role may allow anything.
  [[nodiscard]] Severity base() const {
    if (table) return *table;
    return is_named_admin() && !is_agent_role() ? Severity::kCritical : Severity::kHigh;
  }
};

Severity OneStepUp(Severity severity) {
  switch (severity) {
    case Severity::kLow:
      return Severity::kMedium;
    case Severity::kMedium:
      return Severity::kHigh;
    default:
      return Severity::kCritical;
  }
}

template <GrantPlace place>
Severity SeverityOfRanked(const RankedGrant& grant) {
  if (grant.is_setting()) return Severity::kHigh;
  // An agent of another project in the role of an agent: somebody else's build or cluster works
  // here. It can do no more than Google's services do.
  if (grant.is_agent_role() && grant.is_for_agent()) return Severity::kHigh;
  Severity severity = grant.base();
  // Bound to one resource, a role that takes over a project takes over the resource.
  if (place != GrantPlace::kContainer && !grant.is_full_role()) {
    severity = std::min(severity, Severity::kHigh);
  }
  if (place == GrantPlace::kGuarding || grant.is_for_agent()) {
    severity = std::max(severity, Severity::kHigh);
  }
  if (grant.is_for_everybody()) severity = std::max(OneStepUp(severity), Severity::kHigh);
  return severity;
}

template <GrantPlace place>
std::optional<Severity> SeverityOfGrant(const Grant& grant) {
  return SeverityOfRanked<place>(RankedGrant(grant));
}

/// Roles that change access, or take over their target. A reading basic role is none, and an
/// unknown role is ordinary unless its name says more.
bool IsGraveLoss(const RankedGrant& grant) {
  if (grant.is_setting() || grant.is_for_everybody() || grant.is_for_agent()) return true;
  if (grant.is_agent_role() || grant.is_named_admin()) return true;
  const BasicRole* const basic = FindBasicRole(grant.role);
  if (basic != nullptr) return basic->reach >= BasicReach::kChanges;
  return grant.table && *grant.table >= Severity::kHigh;
}

template <GrantPlace place>
std::optional<Severity> SeverityOfLostGrant(const Grant& grant) {
  const RankedGrant ranked(grant);
  if (!IsGraveLoss(ranked)) return std::nullopt;
  return SeverityOfRanked<place>(ranked);
}

}  // namespace

const GrantSeverities& IamSeverities(GrantPlace place) {
  static const GrantSeverities kLeaf = {
      {}, SeverityOfGrant<GrantPlace::kLeaf>, SeverityOfLostGrant<GrantPlace::kLeaf>};
  static const GrantSeverities kGuarding = {
      {}, SeverityOfGrant<GrantPlace::kGuarding>, SeverityOfLostGrant<GrantPlace::kGuarding>};
  static const GrantSeverities kContainer = {
      {}, SeverityOfGrant<GrantPlace::kContainer>, SeverityOfLostGrant<GrantPlace::kContainer>};
  switch (place) {
    case GrantPlace::kLeaf:
      return kLeaf;
    case GrantPlace::kGuarding:
      return kGuarding;
    case GrantPlace::kContainer:
      break;
  }
  return kContainer;
}

}  // namespace bindery::google
