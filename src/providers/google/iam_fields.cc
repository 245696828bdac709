#include "providers/google/iam_fields.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "cel/syntax/finding.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/checks.h"
#include "providers/google/conditions/checker.h"
#include "providers/google/roles/checks.h"
#include "providers/google/roles/members.h"
#include "providers/google/roles/role_forms.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_path_inputs.h"

namespace bindery::google {
namespace {

std::optional<manifests::CheckFailure> CheckAuditService(std::string_view text) {
  constexpr std::string_view kDomain = ".googleapis.com";
  if (text == "allServices") return std::nullopt;
  if (text.size() > kDomain.size() && text.ends_with(kDomain) && !manifests::HasBlank(text)) {
    return std::nullopt;
  }
  return manifests::CheckFailure{"BadService",
                                 manifests::Quote(text) +
                                     " is not a service that can be logged: write its host, "
                                     "such as storage.googleapis.com, or allServices"};
}

constexpr const char* kMemberPattern =
    "^(allUsers|allAuthenticatedUsers|(user|serviceAccount|group|domain|projectOwner|"
    "projectEditor|projectViewer):.+|principal(Set|Hierarchy)?://.+)$";

/// Maximum members of an allow policy over all its bindings; one binding cannot hold more.
constexpr std::size_t kMaxMembers = 1500;
constexpr std::size_t kMaxGroups = 250;

bool IsEverybody(std::string_view member) {
  return member == "allUsers" || member == "allAuthenticatedUsers";
}

/// What the type of the resource says of a member, whatever the role.
std::optional<manifests::CheckFailure> CheckMemberOfRow(std::string_view member,
                                                        const IamRow& row) {
  if (row.public_refused && IsEverybody(member)) {
    return manifests::CheckFailure{"PublicRefused",
                                   manifests::Quote(member) + " cannot be granted a role on " +
                                       WithArticle(row.noun) + ": grant it on a resource below"};
  }
  if (row.container && IsEverybody(member)) {
    return manifests::CheckFailure{
        "UnlikelyMember", manifests::Quote(member) + " may be refused on " + WithArticle(row.noun),
        true};
  }
  if (!TakesProjectMembers(row) && member.starts_with("project")) {
    return manifests::CheckFailure{
        "UnlikelyMember",
        manifests::Quote(member) +
            " is a form of Cloud Storage and BigQuery: other services refuse it",
        true};
  }
  return std::nullopt;
}

}  // namespace

std::string WithArticle(std::string_view noun) {
  constexpr std::string_view kVowels = "aeiou";
  const bool vowel = kVowels.find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

void CheckOneMember(const Json& spec, const IamRow& row, IamFailures& failures) {
  if (auto failure = CheckMemberOfRow(StringMember(spec, "member"), row)) {
    failures.emplace_back("member", *std::move(failure));
  }
}

void CheckMembers(const Json& members, const std::string& at_list, const IamRow& row,
                  IamFailures& failures) {
  std::map<std::string, std::size_t> seen;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i].is_string()) continue;  // It is no member.
    const auto& member = members[i].get_ref<const std::string&>();
    const std::string at = at_list + "[" + std::to_string(i) + "]";
    const auto [first, inserted] = seen.emplace(NormalMember(member), i);
    if (!inserted) {
      failures.emplace_back(
          at, manifests::CheckFailure{"DuplicateMember",
                                      manifests::Quote(member) + " is listed twice (first as " +
                                          at_list + "[" + std::to_string(first->second) + "])",
                                      true});
      continue;
    }
    if (member.rfind("group:", 0) == 0 || member.rfind("domain:", 0) == 0) ++groups;
    if (auto failure = CheckMemberOfRow(member, row))
      failures.emplace_back(at, *std::move(failure));
  }
  if (groups > kMaxGroups) {
    failures.emplace_back(
        at_list,
        manifests::CheckFailure{
            "TooManyGroups",
            std::to_string(groups) + " groups and domains: a policy takes 250 at most", true});
  }
}

namespace {

bool NamesEverybody(const Json& holder) {
  const auto is_everybody = [](const Json& member) {
    return member.is_string() && IsEverybody(member.get_ref<const std::string&>());
  };
  const Json* member = FindMember(holder, "member");
  const Json* members = FindMember(holder, "members");
  return (member != nullptr && is_everybody(*member)) ||
         (members != nullptr && members->is_array() &&
          std::any_of(members->begin(), members->end(), is_everybody));
}

/// Rules of the resource's type about conditions, whatever their text.
void CheckAnyCondition(const Json& holder, const std::string& at, const IamRow& row,
                       IamFailures& failures) {
  if (row.public_by_url && NamesEverybody(holder)) {
    failures.emplace_back(
        at + "condition",
        manifests::CheckFailure{
            "PublicWithCondition",
            "stands beside allUsers or allAuthenticatedUsers, whose requests say nothing "
            "that a condition could judge: leave one of them out"});
  } else if (!row.conditions_documented && !row.whole_policy) {
    failures.emplace_back(
        at + "condition",
        manifests::CheckFailure{
            "ConditionNotDocumented",
            "may be refused: Google does not document that a " + std::string(row.noun) +
                " accepts conditions. Where the service leaves it out, the grant is taken "
                "back",
            true});
  }
}

/// What conditions call a bucket: "projects/_/buckets/NAME". Empty: their names there are another
/// matter.
std::string BeginOfNames(const IamRow& row, const Json& spec) {
  constexpr std::string_view kBuckets = "b/";
  if (!IsBuiltIn(row) || row.host != "storage.googleapis.com") return "";
  const auto name = CanonicalIamName(row, NameInSpec(row, spec), "-");
  if (!name || !name->starts_with(kBuckets)) return "projects/_/buckets/";
  const std::string rest = name->substr(kBuckets.size());
  const std::string bucket = rest.substr(0, rest.find('/'));
  // The value of a reference is unknown here.
  return "projects/_/buckets/" + (rest.find('$') == std::string::npos ? bucket : "");
}

}  // namespace

void CheckCustomRole(const Json& holder, const std::string& at, const Json& spec, const IamRow& row,
                     IamFailures& failures) {
  const std::string role = StringMember(holder, "role");
  if (role.starts_with("roles/")) return;
  const auto name = CanonicalIamName(row, NameInSpec(row, spec), "-");
  if (!name || !IsCustomRoleOfOthers(role, row, *name)) return;
  failures.emplace_back(
      at + "role",
      manifests::CheckFailure{
          "ForeignRole",
          manifests::Quote(role) +
              " cannot be granted there: a custom role of a project is for that project "
              "and what is in it, one of an organization for that organization"});
}

void CheckCondition(const Json& holder, const std::string& at, const Json& spec, const IamRow& row,
                    IamFailures& failures) {
  const Json* condition = FindMember(holder, "condition");
  if (condition != nullptr) CheckAnyCondition(holder, at, row, failures);
  const Json* expression = condition == nullptr ? nullptr : FindMember(*condition, "expression");
  if (expression == nullptr || !expression->is_string()) return;
  conditions::CheckContext context;
  context.role = StringMember(holder, "role");
  // For a user's own kind the attributes of its service are unknown.
  if (IsBuiltIn(row)) context.service = row.host;
  context.names_begin = BeginOfNames(row, spec);
  context.inherited = row.container;
  context.basic_refused = row.basic_conditions_refused;
  for (cel::Finding& finding :
       conditions::CheckCondition(expression->get<std::string>(), context)) {
    manifests::CheckFailure failure{std::move(finding.unit), std::move(finding.message),
                                    finding.severity == cel::Severity::kWarning};
    // This finding is about the role, not about the text.
    const bool whole = failure.code == "BindingRoleAllowConditionCheck";
    if (!whole) {
      failure.line = finding.at.line;
      failure.column = finding.at.column;
      failure.excerpt = std::move(finding.excerpt);
    }
    failures.emplace_back(at + (whole ? "condition" : "condition.expression"), std::move(failure));
  }
}

manifests::Field NameField(const IamRow& row) {
  manifests::Field name = AnyNameField();
  name.description =
      "The " + std::string(row.noun) + ": " + WantedIamName(row) +
      (TakesDefaultProject(row) ? ", which the provider's default project completes." : ".");
  name.pattern = PatternOfIamNames(row);
  name.examples = ExamplesOfIamName(row);
  name.check = [&row](std::string_view text) { return CheckIamName(row, text); };
  return name;
}

manifests::Field AnyNameField() {
  manifests::Field name;
  name.name = "name";
  name.required = true;
  name.identity = true;
  name.description = "The resource. `bindery kinds` lists the forms of names of each kind.";
  return name;
}

manifests::Field ConditionField() {
  manifests::Field expression;
  expression.name = "expression";
  expression.required = true;
  expression.description =
      "When the grant holds, in the Common Expression Language. Compared as text.";
  expression.examples = {"request.time < timestamp(\"2027-06-01T00:00:00Z\")"};
  expression.pattern = "\\S";
  expression.check = manifests::CheckNotBlank;

  manifests::Field title;
  title.name = "title";
  title.required = true;
  title.description = "A short name of the condition, shown in consoles and reports.";
  title.examples = {"until-june"};
  title.pattern = "\\S";
  title.check = manifests::CheckNotBlank;

  manifests::Field description;
  description.name = "description";
  description.description = "What the condition is for.";

  manifests::Field condition;
  condition.name = "condition";
  condition.type = manifests::FieldType::kObject;
  condition.description =
      "Restricts when the role is held. Without it the role is held at all times. Not every "
      "service "
      "accepts conditions.";
  condition.fields = {std::move(expression), std::move(title), std::move(description)};
  return condition;
}

manifests::Field RoleField(std::string description) {
  manifests::Field role;
  role.name = "role";
  role.required = true;
  role.identity = true;
  role.description = std::move(description);
  role.pattern = "^((projects|organizations)/[^/]+/)?roles/[A-Za-z0-9_.]+$";
  role.examples = {"roles/viewer", "projects/acme/roles/policyAuditor"};
  role.check = CheckWrittenRole;
  return role;
}

manifests::Field MembersField() {
  manifests::Field members;
  members.name = "members";
  members.type = manifests::FieldType::kList;
  members.required = true;
  members.description =
      "Who holds the role: all of them, and nobody else. user:, serviceAccount: and group: with an "
      "e-mail address, domain: with a domain, principal:// and principalSet:// identifiers, "
      "allUsers or allAuthenticatedUsers.";
  members.pattern = kMemberPattern;
  members.examples = {"user:ana@example.com", "group:sre@example.com"};
  members.check = CheckMember;
  members.min_items = 1;
  members.max_items = kMaxMembers;
  return members;
}

manifests::Field MemberField() {
  manifests::Field member;
  member.name = "member";
  member.required = true;
  member.identity = true;
  member.description =
      "Who holds the role, beside others: user:, serviceAccount: or group: with an e-mail address, "
      "domain: with a domain, a principal:// or principalSet:// identifier, allUsers or "
      "allAuthenticatedUsers.";
  member.pattern = kMemberPattern;
  member.examples = {"user:ana@example.com"};
  member.check = CheckMember;
  return member;
}

manifests::Field AuditLogConfigsField() {
  manifests::Field log_type;
  log_type.name = "logType";
  log_type.required = true;
  log_type.choices = {"ADMIN_READ", "DATA_READ", "DATA_WRITE"};
  log_type.description = "Which access is logged.";

  manifests::Field exempted;
  exempted.name = "exemptedMembers";
  exempted.type = manifests::FieldType::kList;
  exempted.description = "Members whose access is not logged.";
  exempted.pattern = kMemberPattern;
  exempted.examples = {"user:ana@example.com"};
  exempted.check = CheckMember;

  manifests::Field logs;
  logs.name = "auditLogConfigs";
  logs.type = manifests::FieldType::kList;
  logs.item_type = manifests::FieldType::kObject;
  logs.required = true;
  logs.min_items = 1;
  logs.description = "What is logged of the service: each type of access once.";
  logs.fields = {std::move(log_type), std::move(exempted)};
  return logs;
}

manifests::Field AuditServiceField() {
  manifests::Field service;
  service.name = "service";
  service.required = true;
  service.identity = true;
  service.description = "The service that is logged, or allServices.";
  service.pattern = "^(allServices|[a-z0-9.-]+\\.googleapis\\.com)$";
  service.examples = {"storage.googleapis.com", "allServices"};
  service.check = CheckAuditService;
  return service;
}

const manifests::FieldList& IamOutputs() {
  static const manifests::FieldList kOutputs = {
      manifests::TextField("etag", "The version of the policy that was observed last."),
      manifests::TextField("id", "The full name of the resource."),
      manifests::TextField(
          "project",
          "The project of the resource: from its name, or the provider's default project.")};
  return kOutputs;
}

}  // namespace bindery::google
