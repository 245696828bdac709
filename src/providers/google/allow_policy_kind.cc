#include "providers/google/allow_policy_kind.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/json_text.h"
#include "providers/google/clients/privileged_access.h"
#include "providers/google/roles/audit_configs.h"
#include "providers/google/roles/lockout.h"
#include "providers/google/roles/members.h"
#include "providers/google/roles/service_agents.h"
#include "providers/google/roles/severities.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_path_inputs.h"
#include "reconcilers/bindings.h"
#include "reconcilers/just_in_time.h"

namespace bindery::google {
namespace {

constexpr reconcilers::BindingWords kWords{"role", "members"};
constexpr const char* kBindings = "bindings";

bool SameMember(const std::string& a, const std::string& b) {
  return NormalMember(a) == NormalMember(b);
}

const Json& ListIn(const Json& policy, const char* name) {
  static const Json kNone = Json::array();
  const Json* list = FindMember(policy, name);
  return list == nullptr ? kNone : *list;
}

/// The grants of a policy, and its settings as such.
std::vector<Grant> GrantsOfPolicy(const Json& policy) {
  std::vector<Grant> grants = reconcilers::ListGrants(ListIn(policy, kBindings), kWords);
  std::vector<Grant> settings = ListAuditUnits(ListIn(policy, kAuditConfigs));
  std::move(settings.begin(), settings.end(), std::back_inserter(grants));
  return reconcilers::DistinctGrants(std::move(grants), NormalMember);
}

std::vector<Grant> WithoutSettings(std::vector<Grant> grants) {
  std::erase_if(grants, [](const Grant& grant) { return IsSetting(grant.role); });
  return grants;
}

bool HaveSettings(const std::vector<Grant>& grants) {
  return std::any_of(grants.begin(), grants.end(),
                     [](const Grant& grant) { return IsSetting(grant.role); });
}

reconcilers::Observation MakeObservation(Json policy) {
  reconcilers::Observation seen;
  seen.etag = StringMember(policy, "etag");
  seen.grants = GrantsOfPolicy(policy);
  seen.exists = std::any_of(seen.grants.begin(), seen.grants.end(),
                            [](const Grant& grant) { return !IsSetting(grant.role); });
  seen.document = std::move(policy);
  return seen;
}

/// Without an update mask a write replaces the whole policy: what is not ours goes back byte for
/// byte.
std::map<std::string, std::string> VerbatimIn(const Json& policy, const std::string& body) {
  constexpr std::string_view kOurs[] = {kBindings, "etag", "version"};
  std::map<std::string, std::string> members;
  for (auto& [name, text] : MemberTexts(body)) {
    if (std::ranges::find(kOurs, name) != std::end(kOurs)) continue;
    const Json* value = FindMember(policy, name);
    if (value != nullptr && CompactJson(*value) != text) members.emplace(name, text);
  }
  return members;
}

/// The original document with the changes, and with the etag of the reading.
Json Edited(const Json& document, const reconcilers::TargetPlan& plan) {
  Json policy = Json::object();
  for (const auto& [name, value] : document.items()) {
    policy[name] = name == kBindings ? Json() : value;
  }
  policy[kBindings] =
      reconcilers::EditBindings(ListIn(document, kBindings), kWords, WithoutSettings(plan.adds()),
                                WithoutSettings(plan.removes()), SameMember);
  if (HaveSettings(plan.adds()) || HaveSettings(plan.removes())) {
    policy[kAuditConfigs] =
        EditAuditConfigs(ListIn(document, kAuditConfigs), plan.adds(), plan.removes());
  }
  return policy;
}

GrantPlace FindPlace(const IamRow& row) {
  if (row.container) return GrantPlace::kContainer;
  return row.whole_policy ? GrantPlace::kGuarding : GrantPlace::kLeaf;
}

reconcilers::ReplacedPart ReplacedBy(IamShape shape) {
  switch (shape) {
    case IamShape::kBinding:
      break;
    case IamShape::kMember:
      return {"…IamMember",
              "declares one member of its role. Other members of the role stay, and so do other "
              "roles of the target.",
              "declares one member of its role. Other members of the role stay. Roles of the "
              "target that no manifest declares are removed (undeclaredRoles: remove)."};
    case IamShape::kPolicy:
      return {
          "…IamPolicy",
          "replaces all grants of the target, except for roles that Google grants to its "
          "service agents. The audit configuration stays unless the manifest has auditConfigs."};
    case IamShape::kAuditConfig:
      return {"…IamAuditConfig",
              "replaces the audit configuration of its service. Grants on the target and other "
              "services stay.",
              "replaces the audit configuration of its service. Roles of the target that no "
              "manifest declares are removed (undeclaredRoles: remove)."};
  }
  return {"…IamBinding", "replaces the members of its role. Other roles of the target stay.",
          "replaces the members of its role. Roles of the target that no manifest declares are "
          "removed (undeclaredRoles: remove)."};
}

reconcilers::KindTraits TraitsOfRow(const IamRow& row, IamShape shape) {
  reconcilers::KindTraits traits;
  traits.policy = GetPolicyName(row);
  traits.judged_as = GetToken(row, IamShape::kBinding).kind;
  if (shape == IamShape::kBinding) traits.member_kind = GetToken(row, IamShape::kMember).kind;
  traits.service = row.service;
  traits.keeps_undeclared = !row.whole_policy;
  traits.is_container = row.container;
  traits.etag_tells_changes = !row.etag_unproven;
  traits.retained_on_delete = shape == IamShape::kPolicy;
  traits.replaces = ReplacedBy(shape);
  traits.provider_type = "cloudnative";
  traits.words = kIamWords;
  traits.binding_words = kWords;
  traits.principals = &MemberRules();
  traits.widening = &IamSeverities(FindPlace(row));
  traits.just_in_time = PrivilegedAccessTo(GetPolicyRow(row));
  return traits;
}

}  // namespace

std::optional<Condition> ConditionIn(const Json& spec) {
  const Json* given = FindMember(spec, "condition");
  if (given == nullptr) return std::nullopt;
  return Condition{StringMember(*given, "expression"), StringMember(*given, "title"),
                   StringMember(*given, "description")};
}

AllowPolicyKind::AllowPolicyKind(const IamRow& row, IamShape shape)
    : reconcilers::Kind(IamSchema(row, shape), TraitsOfRow(row, shape)),
      row_(row),
      policy_row_(GetPolicyRow(row)),
      rules_{MemberRules(), traits().judged_as, traits().widening,
             row.whole_policy ? nullptr : KeepGrantsOfGoogle, traits().just_in_time} {}

Expected<reconcilers::Declaration> AllowPolicyKind::Declare(
    const Json& spec, const std::string& default_project) const {
  reconcilers::Declaration declared;
  Expected<std::string> target = ReadIamName(row_, NameInSpec(row_, spec), default_project);
  if (!target) return Fail(std::move(target.error()));
  declared.target = PolicyName(row_, std::move(*target));
  declared.grants = GrantsIn(spec);
  Claim(spec, declared);
  return declared;
}

Expected<cloud::PolicyCall> AllowPolicyKind::BuildGet(const cloud::Connection& connection,
                                                      const std::string& target,
                                                      std::chrono::milliseconds timeout) const {
  return IamPolicyClient::BuildGet(GetEndpoint(connection), target, timeout);
}

Expected<cloud::PolicyCall> AllowPolicyKind::ReadEtag(const cloud::Connection& connection,
                                                      const std::string& target,
                                                      std::chrono::milliseconds timeout) const {
  return IamPolicyClient::ReadEtag(GetEndpoint(connection), target, timeout);
}

Expected<reconcilers::Observation> AllowPolicyKind::ParseResponse(const cloud::PolicyCall& call,
                                                                  const std::string& body) const {
  Expected<Json> policy = IamPolicyClient::ParseResponse(call, body);
  if (!policy) return Fail(std::move(policy.error()));
  reconcilers::Observation seen = MakeObservation(std::move(*policy));
  if (!policy_row_.update_mask) seen.verbatim = VerbatimIn(seen.document, body);
  return seen;
}

reconcilers::TargetPlan AllowPolicyKind::Plan(const reconcilers::Desired& desired,
                                              const reconcilers::Observation& now) const {
  if (!desired.restore) return reconcilers::DiffGrants(desired, now.grants, rules_);
  std::vector<Grant> wanted = GrantsOfPolicy(*desired.restore);
  // A rollback brings back who has access; what is logged stays. Without claims the two policies
  // are only compared.
  if (!desired.claims.empty()) {
    wanted = WithoutSettings(std::move(wanted));
    std::copy_if(now.grants.begin(), now.grants.end(), std::back_inserter(wanted),
                 [](const Grant& grant) { return IsSetting(grant.role); });
  }
  return reconcilers::DiffExactly(desired, wanted, now.grants, rules_);
}

std::vector<Grant> AllowPolicyKind::Lasting(std::vector<Grant> grants) const {
  std::erase_if(grants, [&](const Grant& grant) {
    return reconcilers::FindMarkedForm(rules_.just_in_time, grant).has_value();
  });
  return grants;
}

std::optional<std::string> AllowPolicyKind::CanonicalName(
    const std::string& text, const std::string& default_project) const {
  std::optional<std::string> name = CanonicalIamName(row_, text, default_project);
  return name ? std::optional(PolicyName(row_, *std::move(name))) : std::nullopt;
}

std::map<Grant, reconcilers::Reason> AllowPolicyKind::Refuse(const reconcilers::TargetPlan& plan,
                                                             const reconcilers::Observation& now,
                                                             const std::string& own,
                                                             const TimeSpan& time) const {
  std::map<Grant, reconcilers::Reason> refused;
  for (const RefusedRemovals& removals : RefuseLockout(policy_row_, plan, now, own, time)) {
    for (const Grant& grant : removals.grants) {
      refused.try_emplace(grant, reconcilers::Reason{removals.reason, removals.message});
    }
  }
  return refused;
}

Expected<cloud::PolicyCall> AllowPolicyKind::BuildSet(const cloud::Connection& connection,
                                                      const std::string& target,
                                                      const reconcilers::TargetPlan& plan,
                                                      const reconcilers::Observation& now,
                                                      std::chrono::milliseconds timeout) const {
  // Without an etag the write would replace any newer policy.
  if (now.etag.empty()) {
    return Fail(Code::kInternal, "nothing is written to a policy that came without an etag");
  }
  Json policy = Edited(now.document, plan);
  const bool settings = HaveSettings(plan.adds()) || HaveSettings(plan.removes());
  // Cloud Storage refuses such a policy, with a misleading message.
  if (policy_row_.bare_body && policy[kBindings].empty()) {
    return Fail(Code::kFailedPrecondition,
                "Cloud Storage accepts no policy without a binding: keep or declare one, such as "
                "roles/storage.legacyBucketOwner for the owners of the project");
  }
  std::map<std::string, std::string> verbatim = now.verbatim;
  if (settings) verbatim.erase(std::string(kAuditConfigs));
  return IamPolicyClient::BuildSet(GetEndpoint(connection), target,
                                   {std::move(policy), settings, std::move(verbatim)}, timeout);
}

reconcilers::Observation AllowPolicyKind::AfterWriting(const reconcilers::TargetPlan& plan,
                                                       reconcilers::Observation now) const {
  return MakeObservation(Edited(now.document, plan));
}

Json AllowPolicyKind::Outputs(const std::string& target,
                              const reconcilers::Observation& now) const {
  Json outputs = Json::object();
  outputs["id"] = target;
  outputs["etag"] = now.etag;
  outputs["project"] = std::string(GetVariable(policy_row_, target, "project"));
  return outputs;
}

Expected<std::vector<std::string>> AllowPolicyKind::MissingPermissions(
    const cloud::Connection& connection, const std::string& target, bool to_write,
    std::chrono::milliseconds timeout) const {
  if (policy_row_.test == IamVerb::kNone || policy_row_.permission.empty()) {
    return Fail(Code::kUnimplemented, policy_row_.test == IamVerb::kNone
                                          ? "the service cannot be asked for permissions"
                                          : "the names of the permissions are not known");
  }
  const std::string prefix(policy_row_.permission);
  std::vector<std::string> needed = {prefix + ".getIamPolicy"};
  if (to_write) needed.push_back(prefix + ".setIamPolicy");
  const IamPolicyClient client(GetEndpoint(connection), connection.transport,
                               connection.authorizer);
  const auto held = client.TestPermissions(target, needed, timeout);
  if (!held) return Fail(held.error());
  std::vector<std::string> missing;
  for (const std::string& permission : needed) {
    if (std::find(held->begin(), held->end(), permission) == held->end()) {
      missing.push_back(permission);
    }
  }
  // Holding none is also what may be answered where no such resource exists.
  if (missing.size() == needed.size()) {
    const auto seen = Observe(connection, target, timeout);
    if (!seen && seen.error().code == Code::kNotFound) return Fail(seen.error());
  }
  return missing;
}

std::string AllowPolicyKind::BaseUrl(const cloud::Connection& connection,
                                     const std::string& target) const {
  return IamPolicyClient::BaseUrl(GetEndpoint(connection), target);
}

std::string AllowPolicyKind::QuotaProject(const std::string& target) const {
  // Calls on projects and their containers count for the project of the caller.
  if (policy_row_.container) return "";
  return std::string(GetVariable(policy_row_, target, "project"));
}

IamPolicyClient::Endpoint AllowPolicyKind::GetEndpoint(const cloud::Connection& connection) const {
  return {policy_row_, connection.BaseUrl(traits().service)};
}

}  // namespace bindery::google
