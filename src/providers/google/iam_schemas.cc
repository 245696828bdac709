// The schemas of the kinds on resources with an allow policy: one for each row and shape.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/access/claim_part.h"
#include "core/access/grant.h"
#include "manifests/schema/check_text.h"
#include "providers/google/allow_policy_kind.h"
#include "providers/google/iam_fields.h"
#include "providers/google/roles/checks.h"
#include "providers/google/rows/bridged_types.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_path_inputs.h"
#include "providers/google/rows/terraform_arguments.h"
#include "reconcilers/project_identity.h"

namespace bindery::google {
namespace {

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

/// The texts about manifests of one shape.
struct ShapeText {
  const char* description;  ///< Before the resource.
  const char* terraform;    ///< The end of Terraform's types.
};

ShapeText TextOfShape(IamShape shape) {
  switch (shape) {
    case IamShape::kBinding:
      break;
    case IamShape::kMember:
      return {"That one member holds one role, beside others, on", "_iam_member"};
    case IamShape::kPolicy:
      return {"All grants on", "_iam_policy"};
    case IamShape::kAuditConfig:
      return {"Which access to one service is logged on", "_iam_audit_config"};
  }
  return {"Who holds one role on", "_iam_binding"};
}

/// Further fields of google-native's policies: kept or computed by the service, or part of the
/// request.
std::vector<std::string> PolicyExtras() {
  return {"etag", "version", "rules", "kind", "resourceId", "updateMask", "userProject"};
}

/// In a row: no such name.
constexpr std::string_view kNoName = "-";

/// The same resource that says that its member must not hold the role.
manifests::TerraformType MakeRemoval(manifests::TerraformType member) {
  constexpr std::string_view kSuffix = "_iam_member_remove";
  member.type = std::string(kFamilyWithRemovals) + std::string(kSuffix);
  member.bridged = MakeBridgedType(kFamilyWithRemovals, kSuffix);
  member.arguments.push_back({"absent", "", "true"});
  return member;
}

/// Adds what a type of Terraform calls the name of its resource, besides "name".
void AddIds(std::string_view id, manifests::TerraformType& type) {
  if (id.empty() || id == kNoName) return;
  type.ids.emplace_back(id);
  if (!id.ends_with("_id")) type.ids.push_back(std::string(id) + "_id");
}

/// The row's name templates by Terraform's arguments, which are in snake case.
manifests::NamesElsewhere ListNamesElsewhere(const IamRow& row, IamShape shape) {
  manifests::NamesElsewhere names;
  names.pulumi_package = "google-native";
  if (shape == IamShape::kPolicy) names.pulumi_extras = PolicyExtras();
  const std::string_view suffix = TextOfShape(shape).terraform;
  const auto types = manifests::Split(row.terraform, ' ');
  const auto ids = manifests::Split(row.terraform_id, ' ');
  const auto templates = manifests::Split(row.names, ' ');
  if (row.terraform.empty()) return names;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == kNoName) continue;
    const auto several = manifests::Split(types[i], '/');
    const auto their_ids =
        i < ids.size() ? manifests::Split(ids[i], '/') : std::vector<std::string_view>();
    for (std::size_t j = 0; j < several.size(); ++j) {
      manifests::TerraformType type;
      type.type = std::string(several[j]) + std::string(suffix);
      type.bridged = MakeBridgedType(several[j], suffix);
      type.name = WithSnakeCase(templates[i]);
      type.ids = {"name"};
      type.arguments = ListTerraformArguments(several[j]);
      if (shape == IamShape::kPolicy) type.policy_source = "google_iam_policy";
      if (j < their_ids.size()) AddIds(their_ids[j], type);
      const bool removals = shape == IamShape::kMember && several[j] == kFamilyWithRemovals;
      names.terraform.push_back(std::move(type));
      if (removals) names.terraform.push_back(MakeRemoval(names.terraform.back()));
    }
  }
  return names;
}

manifests::Field AbsentField() {
  manifests::Field absent;
  absent.name = "absent";
  absent.type = manifests::FieldType::kBoolean;
  absent.description =
      "True: the member must not hold the role, under any condition. When such a manifest goes, "
      "nothing is granted or removed.";
  return absent;
}

manifests::Field RolesField() {
  manifests::Field role = RoleField("The role that the members of this binding hold.");
  role.identity = false;
  manifests::Field bindings;
  bindings.name = "bindings";
  bindings.type = manifests::FieldType::kList;
  bindings.item_type = manifests::FieldType::kObject;
  bindings.required = true;
  bindings.min_items = 1;
  bindings.description =
      "All bindings of the policy. What they do not name is removed, except for the roles that "
      "Google grants to its service agents.";
  bindings.fields = {std::move(role), MembersField(), ConditionField()};
  return bindings;
}

manifests::Field AuditConfigsField() {
  manifests::Field service = AuditServiceField();
  service.identity = false;
  manifests::Field configs;
  configs.name = "auditConfigs";
  configs.type = manifests::FieldType::kList;
  configs.item_type = manifests::FieldType::kObject;
  configs.description = "The audit configuration: all of it. Without this field it stays as it is.";
  configs.fields = {std::move(service), AuditLogConfigsField()};
  return configs;
}

/// The fields of all rows after the name.
const manifests::FieldList& GrantFields(IamShape shape) {
  static const manifests::FieldList kBindingFields = {
      RoleField("The role the members hold. One manifest declares one role of a resource: no "
                "other manifest may name the same resource and role."),
      MembersField(), ConditionField()};
  static const manifests::FieldList kMemberFields = {
      RoleField("The role that the member holds."), MemberField(), ConditionField(), AbsentField()};
  static const manifests::FieldList kPolicyFields = {RolesField()};
  static const manifests::FieldList kAuditFields = {AuditServiceField(), AuditLogConfigsField()};
  switch (shape) {
    case IamShape::kBinding:
      break;
    case IamShape::kMember:
      return kMemberFields;
    case IamShape::kPolicy:
      return kPolicyFields;
    case IamShape::kAuditConfig:
      return kAuditFields;
  }
  return kBindingFields;
}

/// `row`: null for the common inputs of one shape.
manifests::FieldList ListInputs(const IamRow* row, IamShape shape) {
  static const manifests::FieldList kAuditConfigs = {AuditConfigsField()};
  manifests::Field name = row == nullptr ? AnyNameField() : NameField(*row);
  const bool in_parts = shape == IamShape::kPolicy;
  if (in_parts) name.required = false;
  manifests::FieldList fields;
  fields.Add(std::move(name));
  fields.Add(GrantFields(shape));
  if (in_parts) fields.Add(row == nullptr ? AnyPathInputs() : ListPathInputs(*row));
  if (in_parts && (row == nullptr || row->audit_configs)) fields.Add(kAuditConfigs);
  return fields;
}

/// Each value of a member of the objects of a list once.
void CheckUnique(const Json& list, const std::string& at, const char* member,
                 IamFailures& failures) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string value = StringMember(list[i], member);
    const auto [first, added] = seen.emplace(value, i);
    if (added || value.empty()) continue;
    failures.emplace_back(
        at + "[" + std::to_string(i) + "]." + member,
        manifests::CheckFailure{"Duplicate",
                                manifests::Quote(value) + " is listed twice (first in " + at + "[" +
                                    std::to_string(first->second) + "]): one entry for each"});
  }
}

void CheckAuditConfigs(const Json& spec, IamFailures& failures) {
  const Json* configs = FindMember(spec, "auditConfigs");
  if (configs == nullptr || !configs->is_array()) return;
  CheckUnique(*configs, "auditConfigs", "service", failures);
  for (std::size_t i = 0; i < configs->size(); ++i) {
    const Json* logs = FindMember((*configs)[i], "auditLogConfigs");
    if (logs == nullptr || !logs->is_array()) continue;
    CheckUnique(*logs, "auditConfigs[" + std::to_string(i) + "].auditLogConfigs", "logType",
                failures);
  }
}

void CheckBindings(const Json& spec, const IamRow& row, IamFailures& failures) {
  const Json* bindings = FindMember(spec, "bindings");
  if (bindings == nullptr || !bindings->is_array()) return;
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < bindings->size(); ++i) {
    const Json& binding = (*bindings)[i];
    const std::string at = "bindings[" + std::to_string(i) + "]";
    if (const Json* members = FindMember(binding, "members")) {
      CheckMembers(*members, at + ".members", row, failures);
    }
    CheckCustomRole(binding, at + ".", spec, row, failures);
    CheckCondition(binding, at + ".", spec, row, failures);
    const std::string role = StringMember(binding, "role");
    const auto [first, added] = seen.emplace(role + " " + ConditionOfPart(ConditionIn(binding)), i);
    if (added || role.empty()) continue;
    failures.emplace_back(
        at + ".role",
        manifests::CheckFailure{"Duplicate", manifests::Quote(role) +
                                                 " is listed twice (first in bindings[" +
                                                 std::to_string(first->second) +
                                                 "]) under the same condition: name all members "
                                                 "in one entry"});
  }
}

/// One name, whole or in parts.
void CheckNameInParts(const Json& spec, const IamRow& row, IamFailures& failures) {
  const bool named = FindMember(spec, "name") != nullptr;
  const std::vector<std::string> parts = PathInputsIn(row, spec);
  if (named && parts.empty()) return;
  if (named) {
    failures.emplace_back(parts.front(),
                          manifests::CheckFailure{"NameTwice",
                                                  "is a part of the name, which is given in one "
                                                  "piece too: leave one of them out"});
    return;
  }
  const std::optional<std::string> name = NameOfPathInputs(row, spec);
  if (!name) {
    failures.emplace_back(
        "name", manifests::CheckFailure{"MissingField", "is missing: " + WantedIamName(row)});
    return;
  }
  if (auto failure = CheckIamName(row, *name)) {
    failures.emplace_back(parts.back(), *std::move(failure));
  } else if (!reconcilers::GetProjectNumber(*name).empty()) {
    failures.emplace_back(
        parts.size() == 1 ? parts.front() : "project",
        manifests::CheckFailure{"ProjectNumber",
                                "is the number of a project: write its id, or the number in name"});
  }
}

IamFailures CheckSpec(const Json& spec, const IamRow& row, IamShape shape) {
  IamFailures failures;
  switch (shape) {
    case IamShape::kBinding:
      if (const Json* members = FindMember(spec, "members")) {
        CheckMembers(*members, "members", row, failures);
      }
      CheckCustomRole(spec, "", spec, row, failures);
      CheckCondition(spec, "", spec, row, failures);
      break;
    case IamShape::kMember: {
      const Json* absent = FindMember(spec, "absent");
      const bool is_absent = absent != nullptr && absent->is_boolean() && absent->get<bool>();
      if (is_absent && FindMember(spec, "condition") != nullptr) {
        failures.emplace_back(
            "condition",
            manifests::CheckFailure{"AbsentWithCondition",
                                    "says when the role is held, and absent: true that it is not "
                                    "held at all: leave one of them out"});
      }
      CheckOneMember(spec, row, failures);
      CheckCustomRole(spec, "", spec, row, failures);
      CheckCondition(spec, "", spec, row, failures);
      break;
    }
    case IamShape::kPolicy:
      CheckNameInParts(spec, row, failures);
      CheckBindings(spec, row, failures);
      CheckAuditConfigs(spec, failures);
      break;
    case IamShape::kAuditConfig:
      if (const Json* logs = FindMember(spec, "auditLogConfigs"); logs != nullptr) {
        CheckUnique(*logs, "auditLogConfigs", "logType", failures);
      }
      break;
  }
  return failures;
}

manifests::KindSchema SharedShape(IamShape shape) {
  const ShapeText text = TextOfShape(shape);
  manifests::KindSchema schema;
  schema.token = GenericToken(shape);
  schema.other_tokens = {OtherGenericToken(shape)};
  schema.description = std::string(text.description) + " a resource.";
  schema.inputs = ListInputs(nullptr, shape);
  schema.outputs = IamOutputs();
  return schema;
}

/// For a row whose kinds have no separate documentation.
const manifests::KindSchema& GetShape(IamShape shape) {
  static const std::map<IamShape, manifests::KindSchema> kShapes = [] {
    std::map<IamShape, manifests::KindSchema> shapes;
    for (const IamShape each : kIamShapes) shapes.emplace(each, SharedShape(each));
    return shapes;
  }();
  return kShapes.at(shape);
}

}  // namespace

manifests::KindSchema MakeIamSchema(const IamRow& row, IamShape shape) {
  const std::string what(row.noun);
  const ShapeText text = TextOfShape(shape);
  manifests::KindSchema schema;
  schema.token = GetToken(row, shape);
  schema.other_tokens = ListOtherTokens(row, shape);
  schema.description = std::string(text.description) + " " + WithArticle(what) + ".";
  schema.elsewhere = ListNamesElsewhere(row, shape);
  schema.preview = row.preview;
  schema.of_preview_package = row.whole_policy;
  for (const std::string_view form : manifests::Split(row.names, ' '))
    schema.name_forms.emplace_back(form);
  schema.conditions_documented = row.conditions_documented;
  schema.retired = row.retired;
  const bool documented = row.whole_policy && shape == IamShape::kBinding;
  if (!documented) schema.shape = &GetShape(shape);
  schema.inputs = ListInputs(&row, shape);
  schema.outputs = IamOutputs();
  schema.check_all = [&row, shape](const Json& spec) { return CheckSpec(spec, row, shape); };
  return schema;
}

}  // namespace bindery::google
