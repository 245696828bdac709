#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cel/iam_checker.h"
#include "core/json.h"
#include "manifests/check_text.h"
#include "manifests/checks.h"
#include "providers/google/checks.h"
#include "providers/google/iam_kinds.h"

namespace bindery {
namespace {

using Failures = std::vector<std::pair<std::string, CheckFailure>>;

/// What one allow policy may hold over all its bindings; one binding cannot hold more.
constexpr std::size_t kMaxMembers = 1500;
constexpr std::size_t kMaxGroups = 250;

void CheckMembers(const Json& members, Failures& failures) {
  std::map<std::string, std::size_t> seen;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i].is_string()) continue;  // It is no member.
    const auto& member = members[i].get_ref<const std::string&>();
    const std::string at = "members[" + std::to_string(i) + "]";
    const auto [first, inserted] = seen.emplace(MemberNormalForm(member), i);
    if (!inserted) {
      failures.emplace_back(at, CheckFailure{"DuplicateMember",
                                             Quote(member) + " is listed twice (first as members[" +
                                                 std::to_string(first->second) + "])",
                                             true});
      continue;
    }
    if (member.rfind("group:", 0) == 0 || member.rfind("domain:", 0) == 0) ++groups;
    if (member.rfind("project", 0) == 0) {
      failures.emplace_back(
          at, CheckFailure{"UnlikelyMember",
                           Quote(member) + " is a form of Cloud Storage and BigQuery: other "
                                           "services refuse it",
                           true});
    }
  }
  if (groups > kMaxGroups) {
    failures.emplace_back(
        "members",
        CheckFailure{"TooManyGroups",
                     std::to_string(groups) + " groups and domains: a policy takes 250 at most",
                     true});
  }
}

void CheckExpression(const std::string& expression, const cel::CheckContext& context,
                     Failures& failures) {
  for (cel::Finding& finding : cel::CheckCondition(expression, context)) {
    CheckFailure failure{std::move(finding.unit), std::move(finding.message),
                         finding.severity == cel::Severity::kWarning};
    // That one is about the role, not about the text.
    const bool whole = failure.code == "BindingRoleAllowConditionCheck";
    if (!whole) {
      failure.line = finding.at.line;
      failure.column = finding.at.column;
      failure.excerpt = std::move(finding.excerpt);
    }
    failures.emplace_back(whole ? "condition" : "condition.expression", std::move(failure));
  }
}

Failures CheckIamBinding(const Json& spec, const std::string& service) {
  Failures failures;
  if (const Json* members = FindMember(spec, "members")) CheckMembers(*members, failures);
  const Json* condition = FindMember(spec, "condition");
  const Json* expression = condition == nullptr ? nullptr : FindMember(*condition, "expression");
  if (expression != nullptr) {
    CheckExpression(expression->get<std::string>(),
                    {StringMember(spec, "role"), service, std::nullopt}, failures);
  }
  return failures;
}

Field ConditionField() {
  Field expression;
  expression.name = "expression";
  expression.required = true;
  expression.description =
      "When the grant holds, in the Common Expression Language. Compared as text.";
  expression.examples = {"request.time < timestamp(\"2027-06-01T00:00:00Z\")"};
  expression.pattern = "\\S";
  expression.check = CheckNotBlank;

  Field title;
  title.name = "title";
  title.required = true;
  title.description = "A short name of the condition, shown in consoles and reports.";
  title.examples = {"until-june"};
  title.pattern = "\\S";
  title.check = CheckNotBlank;

  Field description;
  description.name = "description";
  description.description = "What the condition is for.";

  Field condition;
  condition.name = "condition";
  condition.type = FieldType::kObject;
  condition.description =
      "Restricts when the role is held. Without it the role is held at all times. Not every "
      "service "
      "accepts conditions.";
  condition.fields = {std::move(expression), std::move(title), std::move(description)};
  return condition;
}

Field RoleField() {
  Field role;
  role.name = "role";
  role.required = true;
  role.identity = true;
  role.description =
      "The role the members hold. One manifest declares one role of a resource: no other manifest "
      "may name the same resource and role.";
  role.pattern = "^((projects|organizations)/[^/]+/)?roles/[A-Za-z0-9_.]+$";
  role.examples = {"roles/viewer", "projects/acme/roles/policyAuditor"};
  role.check = CheckRole;
  return role;
}

Field MembersField() {
  Field members;
  members.name = "members";
  members.type = FieldType::kList;
  members.required = true;
  members.description =
      "Who holds the role: all of them, and nobody else. user:, serviceAccount: and group: with an "
      "e-mail address, domain: with a domain, principal:// and principalSet:// identifiers, "
      "allUsers or allAuthenticatedUsers.";
  members.pattern =
      "^(allUsers|allAuthenticatedUsers|(user|serviceAccount|group|domain|projectOwner|"
      "projectEditor|projectViewer):.+|principal(Set|Hierarchy)?://.+)$";
  members.examples = {"user:ana@example.com", "group:sre@example.com"};
  members.check = CheckMember;
  members.min_items = 1;
  members.max_items = kMaxMembers;
  return members;
}

std::vector<Field> Outputs() {
  Field etag;
  etag.name = "etag";
  etag.description = "The version of the policy that was observed last.";
  Field id;
  id.name = "id";
  id.description = "The full resource name and the role, as one text.";
  Field project;
  project.name = "project";
  project.description =
      "The project of the resource: from its name, or the provider's default project.";
  return {std::move(etag), std::move(id), std::move(project)};
}

}  // namespace

KindSchema MakeIamBindingSchema(const IamKindRow& row) {
  const std::string what(row.noun);
  const std::string collection(row.collection);
  Field name;
  name.name = "name";
  name.required = true;
  name.identity = true;
  name.description = "The " + what +
                     ": its full resource name, or the part from locations/ on, which the "
                     "provider's default project completes.";
  name.pattern = "^(projects/[^/]+/)?locations/[^/]+/" + collection + "/[^/]+$";
  name.examples = {"projects/acme/locations/global/" + collection + "/payments",
                   "locations/global/" + collection + "/payments"};
  name.check = [collection](std::string_view text) {
    return CheckIamResourceName(text, collection);
  };

  KindSchema schema;
  schema.token = {std::string(row.api_version), std::string(row.kind)};
  schema.description = "Who holds one role on a " + what + ".";
  const std::string id(row.terraform_id);
  schema.elsewhere = {
      "google-native", std::string(row.terraform_type), collection, {"name", id, id + "_id"}};
  schema.preview = true;
  schema.inputs = {std::move(name), RoleField(), MembersField(), ConditionField()};
  schema.outputs = Outputs();
  schema.check_all = [service = std::string(row.service) + ".googleapis.com"](const Json& spec) {
    return CheckIamBinding(spec, service);
  };
  return schema;
}

}  // namespace bindery
