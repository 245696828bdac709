#include "providers/google/iam_spec.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/access/claim_part.h"
#include "providers/google/roles/audit_configs.h"
#include "providers/google/roles/checks.h"
#include "providers/google/roles/members.h"
#include "providers/google/rows/iam_names.h"
#include "reconcilers/bindings.h"
#include "reconcilers/tombstones.h"

namespace bindery::google {
namespace {

/// "under the conditions "a" and "b"", in words that can be searched for.
std::string ConditionText(const std::optional<Condition>& condition) {
  if (!condition) return "no condition";
  return "condition \"" + (condition->title.empty() ? condition->expression : condition->title) +
         "\"";
}

Expected<void> CheckOneCondition(const std::string& of, const std::vector<Grant>& held) {
  const std::optional<Condition>& first = held.front().condition;
  const auto other = std::find_if(held.begin(), held.end(),
                                  [&](const Grant& grant) { return grant.condition != first; });
  if (other != held.end()) {
    return Fail(Code::kFailedPrecondition,
                of + " is held under " + ConditionText(first) + " and under " +
                    ConditionText(other->condition) +
                    ": a manifest declares a role under one condition or none; bindery import of "
                    "an …IamBinding writes a manifest for each, and an …IamPolicy declares all");
  }
  if (first && (first->title.empty() || first->expression.empty())) {
    return Fail(Code::kFailedPrecondition,
                of + " is held under a condition without " +
                    (first->title.empty() ? "a title" : "an expression") +
                    ", which a manifest has to give: give it one in the policy first");
  }
  return {};
}

Json ConditionSpec(const Condition& condition) {
  Json spec = {{"expression", condition.expression}, {"title", condition.title}};
  if (!condition.description.empty()) spec["description"] = condition.description;
  return spec;
}

/// Without deleted members: deleted members hold nothing, and no manifest can declare them.
std::vector<Grant> Living(const std::vector<Grant>& grants) {
  return reconcilers::ListLiving(reconcilers::DistinctGrants(grants, NormalMember), MemberRules());
}

}  // namespace

Expected<std::string> WithProject(const std::string& name, const std::string& default_project) {
  if (name.starts_with("projects/")) return name;
  if (default_project.empty()) {
    return Fail(Code::kInvalidArgument,
                "name \"" + name +
                    "\" carries no project, and the provider has no default project: write "
                    "projects/PROJECT/" +
                    name + ", or set providers.<name>.project in the configuration");
  }
  return "projects/" + default_project + "/" + name;
}

std::string GetProject(const std::string& full_name) {
  const auto begin = full_name.find('/') + 1;
  return full_name.substr(begin, full_name.find('/', begin) - begin);
}

Expected<IamId> ParseIamId(const std::string& id, const std::string& default_project,
                           const IamRow& row) {
  const auto end_of_name = std::min(id.find(' '), id.size());
  const std::string name = id.substr(0, end_of_name);
  if (auto fault = CheckIamName(row, name)) {
    return Fail(Code::kInvalidArgument,
                fault->message + "; the id is that name, and after a space the role");
  }
  Expected<std::string> target = ReadIamName(row, name, default_project);
  if (!target) return Fail(std::move(target.error()));
  IamId parsed{PolicyName(row, std::move(*target)), "", ""};
  if (end_of_name == id.size()) return parsed;
  const auto role = id.find_first_not_of(' ', end_of_name);
  if (role != std::string::npos) {
    const auto end_of_role = std::min(id.find(' ', role), id.size());
    parsed.role = id.substr(role, end_of_role - role);
    const auto rest = id.find_first_not_of(' ', end_of_role);
    if (rest != std::string::npos) parsed.rest = id.substr(rest);
  }
  if (auto fault = CheckRole(parsed.role)) return Fail(Code::kInvalidArgument, fault->message);
  return parsed;
}

std::vector<std::string> RolesIn(const std::vector<Grant>& grants) {
  std::vector<std::string> roles;
  std::set<std::string_view> seen;
  for (const Grant& grant : grants) {
    if (IsSetting(grant.role) || !DeletedMember(grant.principal).empty()) continue;
    if (seen.insert(grant.role).second) roles.push_back(grant.role);
  }
  return roles;
}

std::vector<std::string> SettingsIn(const std::vector<Grant>& grants) {
  std::vector<std::string> settings;
  std::set<std::string_view> seen;
  for (const Grant& grant : grants) {
    if (IsSetting(grant.role) && seen.insert(grant.role).second) settings.push_back(grant.role);
  }
  return settings;
}

Expected<Json> IamBindingSpec(const std::string& target, const std::string& part,
                              const std::vector<Grant>& grants) {
  const std::string role(RoleOfPart(part));
  const std::string of = role + " on " + target;
  std::vector<Grant> held;
  for (Grant& grant : Living(grants)) {
    if (Covers(part, grant, NormalMember)) held.push_back(std::move(grant));
  }
  if (held.empty()) {
    return Fail(Code::kNotFound,
                "nobody holds " +
                    (role.empty() ? "a role on " + target
                                  : of + ": the name of the resource alone stands for all roles"));
  }
  if (auto checked = CheckOneCondition(of, held); !checked) return Fail(std::move(checked.error()));
  Json spec = {{"name", target}, {"role", role}, {"members", Json::array()}};
  for (const Grant& grant : held) spec["members"].push_back(grant.principal);
  if (held.front().condition) spec["condition"] = ConditionSpec(*held.front().condition);
  return spec;
}

Expected<Json> IamMemberSpec(const std::string& target, const std::string& part,
                             const std::vector<Grant>& grants) {
  const ClaimPart wanted = ClaimPart::Of(part);
  if (wanted.member.empty()) {
    return Fail(Code::kInvalidArgument,
                "the id of one member is the name of the resource, the role and the member, with "
                "spaces between them");
  }
  const std::string of = std::string(wanted.role) + " on " + target;
  std::vector<Grant> held;
  for (const Grant& grant : grants) {
    if (Covers(part, grant, NormalMember)) held.push_back(grant);
  }
  if (held.empty()) {
    return Fail(Code::kNotFound, std::string(wanted.member) + " does not hold " + of +
                                     ": the name of the resource alone stands for all members of "
                                     "all roles");
  }
  if (auto checked = CheckOneCondition(of, held); !checked) return Fail(std::move(checked.error()));
  const Grant& grant = held.front();
  Json spec = {{"name", target}, {"role", grant.role}, {"member", grant.principal}};
  if (grant.condition) spec["condition"] = ConditionSpec(*grant.condition);
  return spec;
}

Expected<Json> IamPolicySpec(const std::string& target, const std::vector<Grant>& grants) {
  const std::vector<Grant> living = Living(grants);
  if (living.empty()) return Fail(Code::kNotFound, "nobody holds a role on " + target);
  Json spec = {{"name", target}, {"bindings", Json::array()}};
  std::map<std::string, std::size_t> places;
  for (const Grant& grant : living) {
    if (IsSetting(grant.role)) continue;
    const std::string of = grant.role + " on " + target;
    if (auto checked = CheckOneCondition(of, {grant}); !checked) {
      return Fail(std::move(checked.error()));
    }
    const std::string key = grant.role + " " + ConditionOfPart(grant.condition);
    const auto [place, added] = places.emplace(key, spec["bindings"].size());
    if (added) {
      Json binding = {{"role", grant.role}, {"members", Json::array()}};
      if (grant.condition) binding["condition"] = ConditionSpec(*grant.condition);
      spec["bindings"].push_back(std::move(binding));
    }
    spec["bindings"][place->second]["members"].push_back(grant.principal);
  }
  if (!SettingsIn(living).empty()) {
    spec["auditConfigs"] = EditAuditConfigs(Json::array(), living, {});
  }
  return spec;
}

Expected<Json> IamAuditConfigSpec(const std::string& target, const std::string& part,
                                  const std::vector<Grant>& grants) {
  std::vector<Grant> units;
  for (Grant& grant : Living(grants)) {
    if (grant.role == part) units.push_back(std::move(grant));
  }
  const std::string service = part.empty() ? part : part.substr(kSettings.size());
  if (units.empty()) {
    return Fail(Code::kNotFound,
                target + " has no audit configuration" + (service.empty() ? "" : " of " + service));
  }
  return Json{
      {"name", target}, {"service", service}, {"auditLogConfigs", MakeAuditLogConfigs(units)}};
}

}  // namespace bindery::google
