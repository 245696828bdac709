// Blocks in all the forms JSON has for them, and the declarations of a resource.

#include <algorithm>
#include <utility>

#include "convert/exported_spec.h"
#include "convert/nodes.h"
#include "convert/target_name.h"
#include "convert/terraform.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr std::string_view kComment = "//";

/// Terraform names repeated blocks in the singular.
bool IsCalled(const manifests::Field& field, std::string_view key) {
  const std::string name = SnakeCase(field.name);
  const bool blocks =
      field.type == manifests::FieldType::kList && field.item_type == manifests::FieldType::kObject;
  return name == key || (blocks && name == std::string(key) + "s");
}

}  // namespace

bool IsMetaArgument(std::string_view key) {
  constexpr std::string_view kMeta[] = {kComment,     "provider", "depends_on",
                                        "lifecycle",  "timeouts", "provisioner",
                                        "connection", "count",    "for_each"};
  return std::find(std::begin(kMeta), std::end(kMeta), key) != std::end(kMeta);
}

void Terraform::ForEach(const Node& root, const std::string& type, std::size_t labels,
                        const Visit& visit) {
  for (const Node::Entry& entry : root.fields) {
    if (entry.key == type) {
      ForEachBelow(entry.value, {{}, entry.key_at, type, nullptr}, labels, visit);
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are labels, and lists within
void Terraform::ForEachBelow(const Node& node, TerraformBlock block, std::size_t labels,
                             const Visit& visit) {
  if (node.kind == NodeKind::kList) {
    for (const Node& item : node.items) {
      TerraformBlock one = block;
      one.at = item.at;
      ForEachBelow(item, std::move(one), labels, visit);
    }
    return;
  }
  if (labels == 0 && node.kind == NodeKind::kMap) {
    block.body = &node;
    visit(block);
    return;
  }
  if (node.kind != NodeKind::kMap) {
    LeaveOut(node.at, block.path, "expected a map, found " + WhatIs(node));
    return;
  }
  for (const Node::Entry& entry : node.fields) {
    if (entry.key == kComment) continue;
    TerraformBlock one = block;
    one.labels.push_back(entry.key);
    one.at = entry.key_at;
    one.path = manifests::JoinPath(block.path, entry.key);
    ForEachBelow(entry.value, std::move(one), labels - 1, visit);
  }
}

std::vector<const Node*> Terraform::Nested(const Node& node, const std::string& path) {
  std::vector<const Node*> blocks;
  if (node.kind == NodeKind::kMap) blocks.push_back(&node);
  for (const Node& item : node.items) {
    if (item.kind == NodeKind::kMap) blocks.push_back(&item);
  }
  const bool complete = node.kind == NodeKind::kNull || node.kind == NodeKind::kMap ||
                        (node.kind == NodeKind::kList && blocks.size() == node.items.size());
  if (!complete) LeaveOut(node.at, path, "expected a block, found " + WhatIs(node));
  return blocks;
}

void Terraform::Make(const Plan& plan) {
  SetRepetition(plan.repetition ? &*plan.repetition : nullptr);
  const Counterpart of = {plan.kind, plan.type};
  Draft draft = {plan.name, plan.block.path, plan.kind, {}, {}};
  std::optional<Node> spec = MakeSpec(plan, draft.refers_to);
  if (spec) spec = WithMergedEntries(of, *spec);
  Node options = BuildOptions(plan, spec.value_or(MapNode(plan.block.at)));
  if (spec) {
    AddDraft(std::move(draft), std::move(*spec), std::move(options), plan.block.at);
  } else if (plan.kind->read_only) {
    LeaveOutHarmless(plan.block.at, plan.block.path, std::string(kIncomplete));
  } else {
    LeaveOut(plan.block.at, plan.block.path, std::string(kIncomplete));
    HoldClaim(plan.block, of);
  }
  SetRepetition(nullptr);
}

std::optional<Node> Terraform::MakeSpec(const Plan& plan, std::vector<std::string>& refers_to) {
  return IsPolicyType(plan.type->type) ? PolicySpec(plan, refers_to) : TargetSpec(plan, refers_to);
}

std::optional<Node> Terraform::TargetSpec(const Plan& plan, std::vector<std::string>& refers_to) {
  const manifests::FieldList& inputs = plan.kind->inputs;
  if (plan.type->name.empty()) {
    return Fields(*plan.block.body, inputs, plan.block.path, refers_to);
  }
  const Node defaults = GetDefaults(plan.block.labels[0], *plan.block.body);
  auto body = WithFullName(*plan.type, Resolved(*plan.block.body), defaults);
  if (body && body->Find("name") == nullptr && !wish().default_project.empty()) {
    Node project = MapNode(plan.block.at);
    Put(project, "project", TextNode(wish().default_project, plan.block.at));
    body = WithFullName(*plan.type, *body, project);
  }
  if (!body) {
    LeaveOut(plan.block.at, plan.block.path, body.error());
    return std::nullopt;
  }
  const Node* name = body->Find("name");
  if (name == nullptr || name->text.find(kUnknownPart) != std::string::npos) {
    LeaveOut(plan.block.at, plan.block.path,
             name == nullptr ? "nothing says which " + plan.type->name +
                                   " it is: neither the resource, nor a provider block with a "
                                   "\"project\", nor the project of bindery.yaml (-c)"
                             : "it is of its provider's project, which the file does not tell");
    return std::nullopt;
  }
  return Fields(*body, inputs, plan.block.path, refers_to);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
std::optional<Node> Terraform::Fields(const Node& body, const manifests::FieldList& fields,
                                      const std::string& path,
                                      std::vector<std::string>& refers_to) {
  Node made = MapNode(body.at);
  bool complete = true;
  for (const Node::Entry& entry : body.fields) {
    if (IsMetaArgument(entry.key) || entry.value.kind == NodeKind::kNull) continue;
    const std::string at = manifests::JoinPath(path, entry.key);
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const manifests::Field& one) {
      return IsCalled(one, entry.key);
    });
    if (field == fields.end()) {
      LeaveOut(entry.key_at, at, "the kind has no field for it");
      complete = false;
      continue;
    }
    std::optional<Node> value = FieldValue(entry.value, *field, at, refers_to);
    complete = complete && value.has_value();
    if (value && value->kind != NodeKind::kNull) {
      made.fields.push_back({field->name, entry.key_at, std::move(*value)});
    }
  }
  return complete ? std::optional<Node>(std::move(made)) : std::nullopt;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
std::optional<Node> Terraform::FieldValue(const Node& node, const manifests::Field& field,
                                          const std::string& path,
                                          std::vector<std::string>& refers_to) {
  const bool blocks = field.type == manifests::FieldType::kObject ||
                      (field.type == manifests::FieldType::kList &&
                       field.item_type == manifests::FieldType::kObject);
  if (!blocks || node.kind == NodeKind::kString) return Value(node, path, refers_to);
  const std::size_t remarks = conversion().remarks.size();
  const std::vector<const Node*> given = Nested(node, path);
  if (conversion().remarks.size() > remarks) return std::nullopt;
  if (field.type == manifests::FieldType::kObject && given.empty()) return Node{};
  if (field.type == manifests::FieldType::kObject && given.size() > 1) {
    LeaveOut(node.at, path, "only one such block has a meaning");
    return std::nullopt;
  }
  Node list = ListNode({}, node.at);
  for (const Node* block : given) {
    std::optional<Node> item = Fields(*block, field.fields, path, refers_to);
    if (!item) return std::nullopt;
    if (field.type == manifests::FieldType::kObject) return item;
    list.items.push_back(std::move(*item));
  }
  return list;
}

}  // namespace bindery::convert
