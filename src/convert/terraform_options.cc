// Terraform's statements about a resource besides its fields, as options of a manifest.

#include <utility>

#include "convert/nodes.h"
#include "convert/target_name.h"
#include "convert/terraform.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

Node Terraform::BuildOptions(const Plan& plan, const Node& spec) {
  Node options = MapNode(plan.block.at);
  for (const Node::Entry& entry : plan.block.body->fields) {
    const bool given = IsMetaArgument(entry.key) && entry.value.kind != NodeKind::kNull;
    if (given) ReadMetaArgument(entry, plan, options);
  }
  if (!plan.kind->read_only) TakeAddressed(plan, spec, options);
  return options;
}

void Terraform::ReadMetaArgument(const Node::Entry& entry, const Plan& plan, Node& options) {
  const std::string at = manifests::JoinPath(plan.block.path, entry.key);
  if (entry.key == "depends_on") {
    if (auto names = Dependencies(entry.value, at)) Put(options, "dependsOn", std::move(*names));
  } else if (entry.key == "lifecycle") {
    for (const Node* block : Nested(entry.value, at)) ReadLifecycle(*block, plan, options);
  } else if (entry.key == "timeouts") {
    for (const Node* block : Nested(entry.value, at)) ReadTimeouts(*block, at, options);
  } else if (entry.key == "provider") {
    // Without an alias it is a provider's only configuration: "acme-beta" beside "acme".
    if (entry.value.text.find('.') == std::string::npos) return;
    LeaveOut(entry.key_at, at,
             "set options.provider to the name of a provider of bindery.yaml, else the default "
             "one is used");
  } else if (entry.key == "provisioner" || entry.key == "connection") {
    LeaveOut(entry.key_at, at, "bindery runs no programs");
  }
}

/// What blocks beside the resource's own say of it by its address.
void Terraform::TakeAddressed(const Plan& plan, const Node& spec, Node& options) {
  const std::string address = plan.MakeAddress();
  if (const auto import = imports_.find(address); import != imports_.end()) {
    if (auto id = ImportId(plan, spec, import->second)) {
      Put(options, "import", std::move(*id));
    } else {
      LeaveOutHarmless(import->second.at, manifests::JoinPath("import", address),
                       "the id is of another resource, or of a form that is not known");
    }
  }
  if (const auto former = former_.find(address); former != former_.end()) {
    Put(options, "aliases", ListNode(former->second, former->second.front().at));
  }
}

std::optional<Node> Terraform::ImportId(const Plan& plan, const Node& spec, const Node& id) const {
  const Node* name = spec.Find("name");
  const Node known = Known(id);
  if (HasUnknown(known)) return std::nullopt;
  if (plan.type->name.empty() || name == nullptr) return known;
  const auto made = MakeImportId(*plan.type, name->text, known.text,
                                 GetDefaults(plan.block.labels[0], *plan.block.body));
  return made ? std::optional(TextNode(*made, id.at)) : std::nullopt;
}

void Terraform::ReadLifecycle(const Node& node, const Plan& plan, Node& options) {
  for (const Node::Entry& entry : node.fields) {
    const std::string at =
        manifests::JoinPath(manifests::JoinPath(plan.block.path, "lifecycle"), entry.key);
    if (entry.key == "//" || entry.value.kind == NodeKind::kNull) continue;
    if (entry.key == "prevent_destroy") {
      if (FindIn(options, "protect") == nullptr) Put(options, "protect", entry.value);
    } else if (entry.key == "ignore_changes") {
      auto paths = Ignored(entry.value, *plan.kind, at);
      if (paths && FindIn(options, "ignoreChanges") == nullptr) {
        Put(options, "ignoreChanges", std::move(*paths));
      }
    } else if (entry.key == "create_before_destroy") {
      Note(entry.key_at, at, "what is new is always written before what it replaces is removed");
    } else {
      LeaveOut(entry.key_at, at, "manifests have nothing like it");
    }
  }
}

void Terraform::ReadTimeouts(const Node& node, const std::string& path, Node& options) {
  Node timeouts = MapNode(node.at);
  for (const Node::Entry& entry : node.fields) {
    if (entry.key == "create" || entry.key == "update" || entry.key == "delete") {
      Put(timeouts, entry.key, entry.value);
    } else if (entry.key != "//") {
      LeaveOut(entry.key_at, manifests::JoinPath(path, entry.key),
               "only writes have a time limit here");
    }
  }
  const bool first = FindIn(options, "customTimeouts") == nullptr;
  if (first && !timeouts.fields.empty()) Put(options, "customTimeouts", std::move(timeouts));
}

/// The data of a whole policy stands for the whole declaration of its manifest.
std::optional<Node> Terraform::Ignored(const Node& node, const manifests::KindSchema& kind,
                                       const std::string& path) {
  const std::vector<Node> given = node.kind == NodeKind::kList ? node.items : std::vector{node};
  Node paths = ListNode({}, node.at);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Node& item = given[i];
    const bool all = item.text == "all" || item.text == kPolicyData;
    if (all) {
      for (const manifests::Field& field : kind.inputs) {
        if (!field.identity) paths.items.push_back(TextNode(field.name, item.at));
      }
      continue;
    }
    std::string_view text = item.text;
    if (text.starts_with("${") && text.ends_with('}')) text = text.substr(2, text.size() - 3);
    const auto field = manifests::ParseFieldPath(text);
    if (item.kind != NodeKind::kString || !field) {
      LeaveOut(item.at, ItemPath(path, i), "expected the name of an argument");
      continue;
    }
    paths.items.push_back(TextNode(manifests::PathText(CanonicalPath(kind, *field)), item.at));
  }
  return paths.items.empty() ? std::nullopt : std::optional<Node>(std::move(paths));
}

std::optional<Node> Terraform::Dependencies(const Node& node, const std::string& path) {
  Node names = ListNode({}, node.at);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    const std::string address = MakeAddress(&item);
    const auto found = symbols().find(address);
    if (found != symbols().end() && !found->second.manifest.empty()) {
      names.items.push_back(TextNode(found->second.manifest, item.at));
    } else {
      LeaveOut(item.at, ItemPath(path, i),
               address.empty() ? "expected a resource, such as TYPE.NAME"
                               : manifests::Quote(address) + " is not carried over");
    }
  }
  if (node.kind != NodeKind::kList) {
    LeaveOut(node.at, path, "expected a list, found " + WhatIs(node));
  }
  return names.items.empty() ? std::nullopt : std::optional<Node>(std::move(names));
}

}  // namespace bindery::convert
