#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cel/iam_checker.h"
#include "core/json.h"
#include "manifests/check_text.h"
#include "manifests/checks.h"
#include "providers/google/checks.h"
#include "providers/google/iam_kinds.h"
#include "providers/google/iam_names.h"

namespace bindery {
namespace {

using Failures = std::vector<std::pair<std::string, CheckFailure>>;

/// What one allow policy may hold over all its bindings; one binding cannot hold more.
constexpr std::size_t kMaxMembers = 1500;
constexpr std::size_t kMaxGroups = 250;

void CheckMembers(const Json& members, bool takes_project_members, Failures& failures) {
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
    if (!takes_project_members && member.rfind("project", 0) == 0) {
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

Failures CheckIamBinding(const Json& spec, const IamRow& row) {
  Failures failures;
  if (const Json* members = FindMember(spec, "members")) {
    CheckMembers(*members, TakesProjectMembers(row), failures);
  }
  const Json* condition = FindMember(spec, "condition");
  const Json* expression = condition == nullptr ? nullptr : FindMember(*condition, "expression");
  if (expression != nullptr) {
    CheckExpression(expression->get<std::string>(),
                    {StringMember(spec, "role"), std::string(row.host), std::nullopt}, failures);
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

std::string_view ArticleOf(std::string_view noun) {
  constexpr std::string_view kVowels = "aeiou";
  return kVowels.find(noun.front()) == std::string_view::npos ? "a" : "an";
}

/// "projects/{project}/managedZones/{managed_zone}": with the variables in snake case.
std::string WithSnakeCase(std::string_view name_template) {
  std::string text;
  bool variable = false;
  for (const char c : name_template) {
    if (c == '{' || c == '}') variable = c == '{';
    const bool upper = variable && c >= 'A' && c <= 'Z';
    if (upper) text += '_';
    text += static_cast<char>(upper ? c - 'A' + 'a' : c);
  }
  return text;
}

/// The row's name templates by Terraform's arguments, which are in snake case.
NamesElsewhere ElsewhereOf(const IamRow& row) {
  constexpr std::string_view kNone = "-";
  NamesElsewhere names;
  names.pulumi_package = "google-native";
  const auto types = Split(row.terraform, ' ');
  const auto ids = Split(row.terraform_id, ' ');
  const auto templates = Split(row.names, ' ');
  if (row.terraform.empty()) return names;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == kNone) continue;
    TerraformType type;
    type.type = std::string(types[i]) + "_iam_binding";
    type.name = WithSnakeCase(templates[i]);
    type.ids = {"name"};
    if (i < ids.size() && !ids[i].empty() && ids[i] != kNone) {
      const std::string id(ids[i]);
      type.ids.push_back(id);
      if (!id.ends_with("_id")) type.ids.push_back(id + "_id");
    }
    names.terraform.push_back(std::move(type));
  }
  return names;
}

}  // namespace

namespace {

Field NameField() {
  Field name;
  name.name = "name";
  name.required = true;
  name.identity = true;
  return name;
}

/// Of a row whose kind has no documentation of its own.
const KindSchema& SharedShape() {
  static const KindSchema kShape = [] {
    KindSchema shape;
    shape.token.kind = "IamBinding";
    shape.description = "Who holds one role on a resource.";
    Field name = NameField();
    name.description = "The resource. `bindery kinds` lists the forms of names of each kind.";
    shape.inputs = {std::move(name), RoleField(), MembersField(), ConditionField()};
    shape.outputs = Outputs();
    return shape;
  }();
  return kShape;
}

}  // namespace

KindSchema MakeIamBindingSchema(const IamRow& row) {
  const std::string what(row.noun);
  Field name = NameField();
  name.description =
      "The " + what + ": " + WantedIamName(row) +
      (TakesDefaultProject(row) ? ", which the provider's default project completes." : ".");
  name.pattern = PatternOfIamNames(row);
  name.examples = ExamplesOfIamName(row);
  name.check = [&row](std::string_view text) { return CheckIamName(row, text); };

  KindSchema schema;
  schema.description = "Who holds one role on " + std::string(ArticleOf(what)) + " " + what + ".";
  schema.elsewhere = ElsewhereOf(row);
  schema.preview = row.preview || IsOfInterface(row);
  for (const std::string_view form : Split(row.names, ' ')) schema.name_forms.emplace_back(form);
  schema.conditions_documented = row.conditions_documented;
  schema.retired = row.retired;
  if (!IsOfInterface(row)) schema.shape = &SharedShape();
  schema.inputs = {std::move(name), RoleField(), MembersField(), ConditionField()};
  schema.outputs = Outputs();
  schema.check_all = [&row](const Json& spec) { return CheckIamBinding(spec, row); };
  return schema;
}

}  // namespace bindery
