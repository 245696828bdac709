#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

using Failures = std::vector<std::pair<std::string, manifests::CheckFailure>>;

std::string BindingAt(std::size_t index) { return "bindings[" + std::to_string(index) + "]"; }

void CheckDuplicates(const Json& principals, const std::string& at, Failures& failures) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < principals.size(); ++i) {
    if (!principals[i].is_string()) continue;  // It is no principal.
    const auto& principal = principals[i].get_ref<const std::string&>();
    if (seen.insert(principal).second) continue;
    failures.emplace_back(
        at + ".principals[" + std::to_string(i) + "]",
        manifests::CheckFailure{"DuplicatePrincipal",
                                manifests::Quote(principal) + " is listed twice", true});
  }
}

Failures CheckRestrictionPolicy(const Json& spec) {
  Failures failures;
  if (!spec.is_object()) return failures;
  const Json* bindings = FindMember(spec, "bindings");
  if (bindings == nullptr) {
    failures.emplace_back(
        "bindings",
        manifests::CheckFailure{"EmptyPolicy",
                                "a policy without bindings opens the resource to everyone in the "
                                "organization: write \"bindings: []\" when that is meant"});
    return failures;
  }
  if (bindings->empty()) {
    failures.emplace_back(
        "bindings", manifests::CheckFailure{
                        "EmptyPolicy",
                        "no bindings: the resource is open to everyone in the organization", true});
    return failures;
  }
  const std::string resource = StringMember(spec, "resourceId");
  std::map<std::string, std::size_t> relations;
  for (std::size_t i = 0; i < bindings->size(); ++i) {
    const Json& binding = (*bindings)[i];
    const std::string relation = StringMember(binding, "relation");
    if (relation.empty()) continue;  // Something is wrong with it, and that was told.
    const auto [first, inserted] = relations.emplace(relation, i);
    if (!inserted) {
      failures.emplace_back(
          BindingAt(i) + ".relation",
          manifests::CheckFailure{"DuplicateRelation",
                                  "relation " + manifests::Quote(relation) +
                                      " is declared twice (first in " + BindingAt(first->second) +
                                      "): list all its principals in one binding"});
    }
    if (auto unknown = CheckRelationName(resource, relation); unknown && inserted) {
      failures.emplace_back(BindingAt(i) + ".relation", std::move(*unknown));
    }
    if (const Json* principals = FindMember(binding, "principals")) {
      CheckDuplicates(*principals, BindingAt(i), failures);
    }
  }
  return failures;
}

manifests::Field RelationsField() {
  manifests::Field relation;
  relation.name = "relation";
  relation.required = true;
  relation.description =
      "What the principals may do with the resource: viewer, editor, or a relation that only some "
      "types of resource have, such as runner of a workflow. Each relation once.";
  relation.pattern = "^[A-Za-z0-9_-]+$";
  relation.examples = {"viewer", "editor"};
  relation.check = CheckRelation;

  manifests::Field principals;
  principals.name = "principals";
  principals.type = manifests::FieldType::kList;
  principals.required = true;
  principals.description =
      "Who has the relation: role:, team:, user: or org: and the UUID. org: with the "
      "organization's own UUID means everyone. The lookups getRole, getTeam, getUser and "
      "getCurrentUser find the UUIDs: role:${NAME.id}.";
  principals.pattern = "^(role|team|user|org):.+$";
  principals.examples = {"role:94172442-be03-11e9-a77a-3b7612558ac1"};
  principals.check = CheckPrincipal;
  principals.min_items = 1;

  manifests::Field bindings;
  bindings.name = "bindings";
  bindings.type = manifests::FieldType::kList;
  bindings.item_type = manifests::FieldType::kObject;
  bindings.description =
      "Who may do what with the resource; nobody else may. An empty list, written out as [], lifts "
      "the restriction: everyone in the organization has access again. Left out it is refused: "
      "that would mean the same without saying so.";
  bindings.fields = {std::move(relation), std::move(principals)};
  return bindings;
}

manifests::KindSchema MakeRestrictionSchema() {
  manifests::Field resource;
  resource.name = "resourceId";
  resource.required = true;
  resource.identity = true;
  resource.description =
      "The resource to restrict, as TYPE:ID. Only one manifest may name a resource.";
  resource.pattern = "^[A-Za-z0-9_-]+:\\S+$";
  resource.examples = {"dashboard:abc-def-ghi", "synthetics-private-location:pl:office-1a2b3c"};
  resource.check = CheckResourceId;

  manifests::Field id;
  id.name = "id";
  id.description = "The identifier of the policy: the resourceId.";

  manifests::KindSchema schema;
  schema.token = {"monitoring", "RestrictionPolicy"};
  schema.elsewhere = {.pulumi_package = "datadog",
                      .terraform = {{.type = "datadog_restriction_policy"}}};
  schema.description = "The principals that one monitoring resource is restricted to.";
  schema.inputs = {std::move(resource), RelationsField()};
  schema.outputs = {std::move(id)};
  schema.check_all = CheckRestrictionPolicy;
  return schema;
}

}  // namespace

const manifests::KindSchema& RestrictionPolicySchema() {
  static const manifests::KindSchema kSchema = MakeRestrictionSchema();
  return kSchema;
}

}  // namespace bindery::datadog
