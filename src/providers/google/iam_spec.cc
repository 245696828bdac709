#include "providers/google/iam_spec.h"

#include <algorithm>
#include <set>
#include <utility>

#include "providers/google/checks.h"
#include "providers/google/iam_names.h"
#include "providers/google/members.h"

namespace bindery {
namespace {

/// "under the conditions "a" and "b"", in the words of whoever has to look for them.
std::string ConditionText(const std::optional<Condition>& condition) {
  if (!condition) return "no condition";
  return "condition \"" + (condition->title.empty() ? condition->expression : condition->title) +
         "\"";
}

Expected<void> CheckCondition(const std::string& of, const std::vector<Grant>& held) {
  const std::optional<Condition>& first = held.front().condition;
  const auto other = std::find_if(held.begin(), held.end(),
                                  [&](const Grant& grant) { return grant.condition != first; });
  if (other != held.end()) {
    return Fail(Code::kFailedPrecondition,
                of + " is held under " + ConditionText(first) + " and under " +
                    ConditionText(other->condition) +
                    ": a manifest declares a role under one condition or none");
  }
  if (first && (first->title.empty() || first->expression.empty())) {
    return Fail(Code::kFailedPrecondition,
                of + " is held under a condition without " +
                    (first->title.empty() ? "a title" : "an expression") +
                    ", which a manifest has to give");
  }
  return {};
}

Json ConditionSpec(const Condition& condition) {
  Json spec = {{"expression", condition.expression}, {"title", condition.title}};
  if (!condition.description.empty()) spec["description"] = condition.description;
  return spec;
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

std::string ProjectOf(const std::string& full_name) {
  const auto begin = full_name.find('/') + 1;
  return full_name.substr(begin, full_name.find('/', begin) - begin);
}

Expected<ResourceId> ParseIamId(const std::string& id, const std::string& default_project,
                                const IamRow& row) {
  const auto end_of_name = std::min(id.find(' '), id.size());
  const std::string name = id.substr(0, end_of_name);
  if (auto fault = CheckIamName(row, name)) {
    return Fail(Code::kInvalidArgument,
                fault->message + "; the id is that name, and after a space the role");
  }
  Expected<std::string> target = ReadIamName(row, name, default_project);
  if (!target) return Fail(std::move(target.error()));
  ResourceId parsed{std::move(*target), ""};
  if (end_of_name == id.size()) return parsed;
  // What follows the role is the title of its condition.
  const auto role = id.find_first_not_of(' ', end_of_name);
  if (role != std::string::npos) parsed.role = id.substr(role, id.find(' ', role) - role);
  if (auto fault = CheckRole(parsed.role)) return Fail(Code::kInvalidArgument, fault->message);
  return parsed;
}

std::vector<std::string> RolesIn(const std::vector<Grant>& grants) {
  std::vector<std::string> roles;
  std::set<std::string_view> seen;
  for (const Grant& grant : grants) {
    if (seen.insert(grant.role).second) roles.push_back(grant.role);
  }
  return roles;
}

Expected<Json> IamSpec(const std::string& target, const std::string& role,
                       const std::vector<Grant>& grants) {
  const std::string of = role + " on " + target;
  std::vector<Grant> held;
  std::set<std::string> seen;
  for (const Grant& grant : grants) {
    if (grant.role != role) continue;
    if (!DeletedMember(grant.principal).empty()) {
      return Fail(
          Code::kFailedPrecondition,
          of + " is held by \"" + grant.principal +
              "\", which no manifest can declare: remove it from the policy, or restore it");
    }
    const std::string title = grant.condition ? CanonicalJson(ToJson(*grant.condition)) : "";
    if (seen.insert(NormalMember(grant.principal) + "\n" + title).second) held.push_back(grant);
  }
  if (held.empty()) {
    return Fail(Code::kNotFound, "nobody holds " + (role.empty() ? "a role on " + target : of));
  }
  if (auto checked = CheckCondition(of, held); !checked) return Fail(std::move(checked.error()));
  Json spec = {{"name", target}, {"role", role}, {"members", Json::array()}};
  for (const Grant& grant : held) spec["members"].push_back(grant.principal);
  if (held.front().condition) spec["condition"] = ConditionSpec(*held.front().condition);
  return spec;
}

}  // namespace bindery
