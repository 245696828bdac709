// Whole policies: Terraform writes policies in a separate data source.

#include <string_view>
#include <utility>

#include "convert/nodes.h"
#include "convert/terraform.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

/// Whether the text is nothing but the result of the data source of the address.
bool RefersToPolicy(const Node* text, const std::string& address) {
  return text != nullptr && text->kind == NodeKind::kString &&
         text->text == "${" + address + "." + std::string(kPolicyData) + "}";
}

}  // namespace

void Terraform::NamePolicy(const TerraformBlock& block) {
  const std::string address = "data." + block.labels[0] + "." + block.labels[1];
  Symbol symbol{.reason = "only the policy_data of a resource can refer to it"};
  if (!symbols().emplace(address, std::move(symbol)).second) {
    return LeaveOut(block.at, block.path, "there is another one of that name");
  }
  policies_.emplace(address, block);
}

std::optional<Node> Terraform::PolicySpec(const Plan& plan, std::vector<std::string>& refers_to) {
  const Node* given = plan.block.body->Find(kPolicyData);
  const std::string address = MakeAddress(given);
  const auto found = policies_.find(address);
  if (found == policies_.end() || !RefersToPolicy(given, address)) {
    LeaveOut(given == nullptr ? plan.block.at : given->at,
             manifests::JoinPath(plan.block.path, "policy_data"),
             "expected \"${data." + plan.type->policy_source +
                 ".NAME.policy_data}\" of a data source in the same file; bindery import of the "
                 "IamPolicy kind writes a manifest of what is there");
    return std::nullopt;
  }
  const TerraformBlock& policy = found->second;
  for (const char* key : {"count", "for_each", "dynamic"}) {
    if (const Node* repeated = policy.body->Find(key)) {
      LeaveOut(repeated->at, manifests::JoinPath(policy.path, key),
               "only a policy that is written out can be carried over");
      return std::nullopt;
    }
  }
  Node rest = *plan.block.body;
  EraseFrom(rest, kPolicyData);
  Plan target = plan;
  target.block.body = &rest;
  std::optional<Node> spec = TargetSpec(target, refers_to);
  manifests::FieldList parts;
  for (const manifests::Field& field : plan.kind->inputs) {
    if (!field.identity) parts.Add(field);
  }
  std::optional<Node> written = Fields(*policy.body, parts, policy.path, refers_to);
  if (!spec || !written) return std::nullopt;
  for (Node::Entry& entry : written->fields) spec->fields.push_back(std::move(entry));
  return spec;
}

}  // namespace bindery::convert
