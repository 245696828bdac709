#include "emulator/google/policy_rules.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "emulator/google/condition.h"
#include "providers/google/roles/basic_roles.h"
#include "providers/google/roles/role_forms.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kMaxPrincipals = 1500;
constexpr std::size_t kMaxGroups = 250;
constexpr std::size_t kMaxConditionsPerGrant = 20;

using PolicyRefusal = std::optional<GoogleError>;

bool WritesConditions(const PolicyWrite& write) {
  return std::any_of(write.bindings.begin(), write.bindings.end(),
                     [](const Binding& binding) { return binding.condition.has_value(); });
}

PolicyRefusal CheckVersion(const Policy& current, const PolicyWrite& write) {
  if (write.version != 0 && write.version != 1 && write.version != kConditionalVersion) {
    return InvalidArgument("Specified policy version (" + std::to_string(write.version) +
                           ") is invalid: valid values are 0, 1 and 3.");
  }
  const bool says_enough = write.any_version || write.version == kConditionalVersion;
  if (!write.writes_bindings || says_enough) return std::nullopt;
  if (WritesConditions(write)) {
    return InvalidArgument(
        "Policies with conditional role bindings must specify policy version 3. See "
        "https://cloud.google.com/iam/docs/policies#versions.");
  }
  // Without an etag the old policy does not count: its conditions are lost.
  if (HasConditions(current) && write.etag) {
    return InvalidArgument("Specified policy version (" +
                           std::to_string(std::max(1, write.version)) +
                           ") cannot be less than the existing policy version (3). For more "
                           "information, please refer to "
                           "https://cloud.google.com/iam/docs/policies#versions.");
  }
  return std::nullopt;
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

/// "roles/x", "projects/p/roles/x" or "organizations/1/roles/x".
bool IsRoleName(std::string_view role) {
  constexpr std::string_view kRoles = "roles/";
  for (const std::string_view owner : {"projects/", "organizations/"}) {
    if (!role.starts_with(owner)) continue;
    const std::size_t slash = role.find('/', owner.size());
    if (slash == std::string_view::npos || slash == owner.size()) return false;
    role.remove_prefix(slash + 1);
    break;
  }
  return role.starts_with(kRoles) && IsWord(role.substr(kRoles.size()));
}

PolicyRefusal CheckRole(const std::string& role, const IamRules& rules) {
  if (!IsRoleName(role)) {
    return InvalidArgument(
        "The role name must be in the form \"roles/{role}\", "
        "\"organizations/{organization_id}/roles/{role}\", or "
        "\"projects/{project_id}/roles/{role}\".");
  }
  if (rules.unsupported_roles.count(role) > 0 || role.find("_withcond_") != std::string::npos ||
      google::IsNamedLikePermission(role)) {
    return InvalidArgument("Role " + role + " is not supported for this resource.");
  }
  return std::nullopt;
}

bool IsPrimitive(const std::string& role) {
  const google::BasicRole* const basic = google::FindBasicRole(role);
  return basic != nullptr && basic->primitive;
}

GoogleError NoneOnPrimitive() {
  return InvalidArgument(
      "LintValidationUnits/BindingRoleAllowConditionCheck Error: Conditions can't be set on "
      "primitive roles.");
}

PolicyRefusal CheckCondition(const Binding& binding, const IamRules& rules) {
  if (!binding.condition) return std::nullopt;
  if (!rules.accept_conditions) {
    return InvalidArgument("Conditions are not supported for this resource.");
  }
  if (!rules.conditions_on_basic_roles && IsPrimitive(binding.role)) return NoneOnPrimitive();
  if (auto finding = LintCondition(binding.condition->expression)) {
    return InvalidArgument(std::move(*finding));
  }
  return std::nullopt;
}

/// A principal must not appear as itself and as deleted in one policy.
PolicyRefusal CheckConsistent(const std::set<std::string>& members) {
  constexpr std::string_view kPrefix = "deleted:";
  for (const std::string& member : members) {
    if (!member.starts_with(kPrefix)) continue;
    const std::string plain = member.substr(kPrefix.size(), member.find("?uid=") - kPrefix.size());
    if (members.count(plain) == 0) continue;
    return InvalidArgument("Inconsistent representation of deleted member: '" + member + "' and '" +
                           plain + "'");
  }
  return std::nullopt;
}

/// "projectOwner:acme"
bool IsProjectMember(const std::string& member) {
  return member.starts_with("projectOwner:") || member.starts_with("projectEditor:") ||
         member.starts_with("projectViewer:");
}

PolicyRefusal CheckMembers(const Policy& current, const PolicyWrite& write,
                           const Principals& principals) {
  std::set<std::string> shown;
  for (const Binding& binding : current.bindings) {
    for (const std::string& member : binding.members) {
      shown.insert(ShownMember(member, principals));
    }
  }
  std::set<std::string> members;
  for (const Binding& binding : write.bindings) {
    members.insert(binding.members.begin(), binding.members.end());
  }
  if (auto refusal = CheckConsistent(members)) return refusal;
  for (const Binding& binding : write.bindings) {
    for (const std::string& member : binding.members) {
      if (write.takes_project_members && IsProjectMember(member)) continue;
      if (auto text = RefuseMember(member, principals, shown)) {
        return InvalidArgument(std::move(*text));
      }
    }
  }
  return std::nullopt;
}

/// The domain of an address; empty: the organization's policy says nothing of such a member.
std::string_view GetDomain(std::string_view member) {
  for (const std::string_view type : {"user:", "group:", "domain:"}) {
    if (!member.starts_with(type)) continue;
    member.remove_prefix(type.size());
    return member.substr(member.find('@') + 1);
  }
  return {};
}

/// A policy of the organization admits members of some domains only. Formerly granted members
/// stay.
PolicyRefusal CheckMemberDomains(const Policy& current, const PolicyWrite& write,
                                 const IamRules& rules) {
  if (rules.allowed_member_domains.empty()) return std::nullopt;
  std::set<std::string> known;
  for (const Binding& binding : current.bindings) {
    known.insert(binding.members.begin(), binding.members.end());
  }
  Json violations = Json::array();
  for (const Binding& binding : write.bindings) {
    for (const std::string& member : binding.members) {
      const std::string domain(GetDomain(NormalMember(member)));
      if (domain.empty() || rules.allowed_member_domains.contains(domain)) continue;
      if (!known.insert(member).second) continue;
      violations.push_back(
          {{"type", "constraints/iam.allowedPolicyMemberDomains"},
           {"subject", "orgpolicy:?configvalue=" + member},
           {"description", "Member " + member + " is not in a permitted organization."}});
    }
  }
  if (violations.empty()) return std::nullopt;
  GoogleError error = InvalidArgument(
      "One or more users named in the policy do not belong to a permitted customer.");
  error.status = "FAILED_PRECONDITION";
  error.details.push_back({{"@type", "type.googleapis.com/google.rpc.PreconditionFailure"},
                           {"violations", std::move(violations)}});
  return error;
}

std::size_t ExemptedMembers(const Json& audit_configs) {
  std::size_t count = 0;
  for (const Json& config : audit_configs) {
    const Json* logs = FindMember(config, "auditLogConfigs");
    if (logs == nullptr) continue;
    for (const Json& log : *logs) {
      if (const Json* exempted = FindMember(log, "exemptedMembers")) count += exempted->size();
    }
  }
  return count;
}

PolicyRefusal CheckLimits(const Policy& policy) {
  std::size_t principals = ExemptedMembers(policy.audit_configs);
  std::size_t domains = 0;
  std::set<std::string> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> conditions;
  for (const Binding& binding : policy.bindings) {
    principals += binding.members.size();
    for (const std::string& member : binding.members) {
      if (member.starts_with("group:")) groups.insert(NormalMember(member));
      if (member.starts_with("domain:")) ++domains;
      if (binding.condition) ++conditions[{binding.role, NormalMember(member)}];
    }
  }
  if (principals > kMaxPrincipals) {
    return InvalidArgument("The number of members in the policy (" + std::to_string(principals) +
                           ") is larger than the maximum allowed size " +
                           std::to_string(kMaxPrincipals) + ".");
  }
  if (groups.size() + domains > kMaxGroups) {
    return InvalidArgument("The number of groups and domains in the policy (" +
                           std::to_string(groups.size() + domains) +
                           ") is larger than the maximum allowed size " +
                           std::to_string(kMaxGroups) + ".");
  }
  for (const auto& [grant, count] : conditions) {
    if (count <= kMaxConditionsPerGrant) continue;
    return InvalidArgument("The number of conditional role bindings for role " + grant.first +
                           " and member " + grant.second + " (" + std::to_string(count) +
                           ") is larger than the maximum allowed " +
                           std::to_string(kMaxConditionsPerGrant) + ".");
  }
  return std::nullopt;
}

/// One binding per role and condition, each member once, none without members; in the order of
/// arrival.
std::vector<Binding> Merged(const std::vector<Binding>& written, const Principals& principals,
                            const IamRules& rules) {
  std::vector<Binding> merged;
  std::vector<std::unordered_set<std::string>> seen;
  for (const Binding& binding : written) {
    if (binding.members.empty()) continue;
    std::size_t at = 0;
    while (at < merged.size() &&
           (merged[at].role != binding.role || merged[at].condition != binding.condition)) {
      ++at;
    }
    if (at == merged.size()) {
      merged.push_back({binding.role, {}, binding.condition});
      seen.emplace_back();
    }
    for (const std::string& member : binding.members) {
      std::string kept = KeptMember(member, principals, rules.preserve_member_case);
      if (seen[at].insert(kept).second) merged[at].members.push_back(std::move(kept));
    }
  }
  return merged;
}

PolicyRefusal CheckBindings(const Policy& current, const PolicyWrite& write,
                            const Principals& principals, const IamRules& rules) {
  for (const Binding& binding : write.bindings) {
    if (auto refusal = CheckRole(binding.role, rules)) return refusal;
  }
  if (auto refusal = CheckMembers(current, write, principals)) return refusal;
  if (auto refusal = CheckMemberDomains(current, write, rules)) return refusal;
  for (const Binding& binding : write.bindings) {
    if (auto refusal = CheckCondition(binding, rules)) return refusal;
  }
  return std::nullopt;
}

}  // namespace

std::optional<GoogleError> RefuseOnResource(const google::IamRow& row, std::string_view name,
                                            const std::vector<Binding>& bindings) {
  for (const Binding& binding : bindings) {
    if (google::IsCustomRoleOfOthers(binding.role, row, name)) {
      return InvalidArgument("Role (" + binding.role +
                             ") does not exist in the resource's hierarchy.");
    }
    if (row.basic_conditions_refused && binding.condition && IsPrimitive(binding.role)) {
      return NoneOnPrimitive();
    }
    if (!row.container) continue;
    for (const std::string& member : binding.members) {
      if (member != "allUsers" && member != "allAuthenticatedUsers") continue;
      return InvalidArgument("Member " + member + " is not supported for this resource.");
    }
  }
  return std::nullopt;
}

GoogleResult<Policy> ApplyWrite(const Policy& current, const PolicyWrite& write,
                                const Principals& principals, const IamRules& rules,
                                EtagMicros etag) {
  if (write.etag && *write.etag != current.etag) return tl::unexpected(Injected(409));
  if (auto refusal = CheckVersion(current, write)) return tl::unexpected(std::move(*refusal));
  Policy next = current;
  next.etag = etag;
  if (write.writes_bindings) {
    if (auto refusal = CheckBindings(current, write, principals, rules)) {
      return tl::unexpected(std::move(*refusal));
    }
    next.bindings = Merged(write.bindings, principals, rules);
  }
  if (write.writes_audit_configs) next.audit_configs = write.audit_configs;
  if (auto refusal = CheckLimits(next)) return tl::unexpected(std::move(*refusal));
  return next;
}

}  // namespace bindery::emulator
