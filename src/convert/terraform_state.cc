// States of Terraform: the file of version 4, and output of `terraform show -json` for a state or
// a plan.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/shapes/terraform_shapes.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr std::string_view kKeysOfChange =
    "address previous_address module_address mode type name index provider_name change deposed "
    "action_reason";
constexpr std::string_view kKeysOfInnerChange =
    "actions before after after_unknown before_sensitive after_sensitive replace_paths importing "
    "generated_config before_identity after_identity";
constexpr std::string_view kSensitive = "some of it is sensitive, and is not written anywhere";

/// "[0]" or "[\"key\"]"; empty where the resource is not repeated.
std::string IndexText(const Node* key) {
  if (key == nullptr || key->kind == NodeKind::kNull) return "";
  return key->kind == NodeKind::kInteger ? "[" + key->text + "]" : "[\"" + key->text + "\"]";
}

/// "other" of "provider[\"registry.terraform.io/hashicorp/acme\"].other".
std::string AliasIn(const std::string& provider) {
  const std::size_t end = provider.rfind("\"].");
  return end == std::string::npos ? "" : provider.substr(end + 3);
}

/// The map `name` of `holder`, if there is one.
void CopyValues(const Node& holder, const char* name, ExportedResource& made) {
  if (const Node* values = MapUnder(holder, name)) made.values = *values;
}

class TerraformState final : public Exports {
 public:
  using Exports::Exports;
  void ReadState(const Node& root);
  void ReadShown(const Node& root);

 private:
  void TakeInstance(const Node& resource, const Node& instance, const std::string& path);
  void ReadModule(const Node& module, const std::string& path);
  void ReadPlan(const Node& root);
  void ReadValues(const Node& values, const std::string& path);
  void ReadChanges(const Node& changes);
  void TakeShown(const Node& resource, const std::string& path);
  /// A resource that a change creates, or finds if the plan lists no existing resources.
  void TakeChanged(const Node& change, const std::string& path);
  void NoteChange(const Node& change);
  [[nodiscard]] bool IsManaged(const Node& resource, const std::string& path);
  void Alias(const std::string& provider, const ExportedResource& resource);
  static void TakeValues(const Node& holder, const std::string& name, const Node& marks,
                         ExportedResource& made);
  void NoteTainted(const ExportedResource& resource);

  std::set<std::string> taken_;  ///< Addresses.
  bool only_new_ = false;        ///< Pass over those that are taken.
};

bool TerraformState::IsManaged(const Node& resource, const std::string& path) {
  if (resource.kind != NodeKind::kMap) {
    LeaveOut(resource.at, path, "expected a map, found " + WhatIs(resource));
    return false;
  }
  const std::string mode = TextUnder(resource, "mode");
  if (mode == "managed") return true;
  if (mode == "data") {
    PassOver("data source", "data sources");
  } else {
    LeaveOut(resource.at, path, "expected a \"mode\": managed or data");
  }
  return false;
}

void TerraformState::Alias(const std::string& provider, const ExportedResource& resource) {
  const std::string alias = AliasIn(provider);
  if (alias.empty() || resource.of.kind == nullptr) return;
  Note(resource.at, resource.address,
       "Terraform uses its provider " + manifests::Quote(alias) +
           " for it: set options.provider where another provider of bindery.yaml is to be used");
}

/// The marks of a list of paths, in the form of `sensitive_values`.
Node MakeMarks(const Node& paths) {
  Node marks = MapNode(paths.at);
  for (const Node& path : paths.items) {
    // Whatever the path leads to below, the whole attribute counts.
    const Node* first = path.items.empty() ? nullptr : path.items.front().Find("value");
    const bool text = first != nullptr && first->kind == NodeKind::kString;
    const std::string name = text ? first->text : "";
    Node mark = TextNode("true", paths.at);
    mark.kind = NodeKind::kBool;
    if (name.empty()) return mark;
    if (marks.Find(name) == nullptr) Put(marks, name, std::move(mark));
  }
  return marks;
}

/// The map `name` of `holder`, without the marked values.
void TerraformState::TakeValues(const Node& holder, const std::string& name, const Node& marks,
                                ExportedResource& made) {
  const Node* values = MapUnder(holder, name);
  made.values = values == nullptr ? MapNode(holder.at) : *values;
  if (values == nullptr) made.fault = "it has no \"" + name + "\"";
  if (HideMarked(marks, *made.of.kind, made.of.type, made.values)) made.fault = kSensitive;
}

void TerraformState::NoteTainted(const ExportedResource& resource) {
  Note(resource.at, resource.address, "Terraform wants to replace it: it is tainted");
}

void TerraformState::TakeInstance(const Node& resource, const Node& instance,
                                  const std::string& path) {
  if (instance.kind != NodeKind::kMap) {
    return LeaveOut(instance.at, path, "expected a map, found " + WhatIs(instance));
  }
  if (!TextUnder(instance, "deposed").empty())
    return PassOver("deposed instance", "deposed instances");
  const std::string module = TextUnder(resource, "module");
  const std::string name = TextUnder(resource, "name");
  ExportedResource made;
  made.type = TextUnder(resource, "type");
  made.of = OfTerraform(made.type);
  made.at = instance.at;
  made.name = MakeModuleName(module, name, TextUnder(instance, "index_key"));
  made.address = (module.empty() ? "" : module + ".") + made.type + "." + name +
                 IndexText(instance.Find("index_key"));
  if (MayGrantAccess(made.type)) {
    ReportUnknown(instance,
                  "index_key status schema_version attributes sensitive_attributes identity "
                  "identity_schema_version private dependencies create_before_destroy deposed "
                  "attributes_flat depends_on instance_provider",
                  path);
  }
  if (made.of.kind != nullptr) {
    const Node* secret = ListUnder(instance, "sensitive_attributes");
    const Node marks = secret == nullptr ? MapNode(instance.at) : MakeMarks(*secret);
    TakeValues(instance, "attributes", marks, made);
    const std::string status = TextUnder(instance, "status");
    if (status == "tainted") NoteTainted(made);
    if (!status.empty() && status != "tainted") {
      made.fault = "its \"status\" is not known: " + manifests::Quote(status);
    }
  } else {
    CopyValues(instance, "attributes", made);
  }
  // OpenTofu tells the provider of an instance where instances have providers of their own.
  const std::string own = TextUnder(instance, "instance_provider");
  Alias(own.empty() ? TextUnder(resource, "provider") : own, made);
  Take(std::move(made));
}

void TerraformState::ReadState(const Node& root) {
  ReportUnknown(root, "version terraform_version serial lineage outputs resources check_results",
                "");
  ReportShapes(root, kStateShapes, "");
  const Node* resources = ListUnder(root, "resources");
  for (std::size_t i = 0; resources != nullptr && i < resources->items.size(); ++i) {
    const Node& resource = resources->items[i];
    const std::string path = ItemPath("resources", i);
    if (!IsManaged(resource, path)) continue;
    if (MayGrantAccess(TextUnder(resource, "type"))) {
      ReportUnknown(resource, "module mode type name each provider instances", path);
    }
    ReportShapes(resource, kStateResourceShapes, path);
    const Node* instances = ListUnder(resource, "instances");
    if (instances == nullptr) LeaveOut(resource.at, path, "it has no list \"instances\"");
    for (std::size_t j = 0; instances != nullptr && j < instances->items.size(); ++j) {
      TakeInstance(resource, instances->items[j], ItemPath(path + ".instances", j));
    }
  }
  TellPassedOver(root.at);
}

void TerraformState::TakeShown(const Node& resource, const std::string& path) {
  if (!IsManaged(resource, path)) return;
  ReportShapes(resource, kShownResourceShapes, path);
  if (!TextUnder(resource, "deposed_key").empty())
    return PassOver("deposed instance", "deposed instances");
  ExportedResource made;
  made.type = TextUnder(resource, "type");
  made.of = OfTerraform(made.type);
  made.at = resource.at;
  made.address = TextUnder(resource, "address");
  const std::size_t own = made.address.rfind(made.type + "." + TextUnder(resource, "name"));
  const std::string module = made.address.substr(0, own == std::string::npos ? 0 : own);
  made.name = MakeModuleName(module, TextUnder(resource, "name"), TextUnder(resource, "index"));
  if (made.address.empty()) made.address = path;
  const bool first = taken_.insert(made.address).second;
  if (only_new_ && !first) return;
  if (MayGrantAccess(made.type)) {
    ReportUnknown(resource,
                  "address mode type name index provider_name schema_version values "
                  "sensitive_values depends_on tainted deposed_key identity "
                  "identity_schema_version",
                  path);
  }
  if (made.of.kind != nullptr) {
    const Node* marks = resource.Find("sensitive_values");
    TakeValues(resource, "values", marks == nullptr ? MapNode(resource.at) : *marks, made);
    const Node* tainted = resource.Find("tainted");
    if (tainted != nullptr && tainted->AsBool()) NoteTainted(made);
  } else {
    CopyValues(resource, "values", made);
  }
  Take(std::move(made));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
void TerraformState::ReadModule(const Node& module, const std::string& path) {
  if (module.kind != NodeKind::kMap) {
    return LeaveOut(module.at, path, "expected a map, found " + WhatIs(module));
  }
  ReportUnknown(module, "resources address child_modules", path);
  ReportShapes(module, kShownModuleShapes, path);
  for (const char* key : {"resources", "child_modules"}) {
    const Node* list = ListUnder(module, key);
    if (list == nullptr) continue;
    const std::string below = manifests::JoinPath(path, key);
    const bool resources = std::string_view(key) == "resources";
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const std::string at = ItemPath(below, i);
      resources ? TakeShown(list->items[i], at) : ReadModule(list->items[i], at);
    }
  }
}

std::vector<std::string> ListActions(const Node& change) {
  std::vector<std::string> actions;
  const Node* inner = MapUnder(change, "change");
  const Node* list = inner == nullptr ? nullptr : ListUnder(*inner, "actions");
  for (const Node& action : list == nullptr ? std::vector<Node>() : list->items) {
    actions.push_back(action.text);
  }
  return actions;
}

void TerraformState::NoteChange(const Node& change) {
  std::string actions;
  for (const std::string& action : ListActions(change)) {
    if (action != "no-op" && action != "read") actions += (actions.empty() ? "" : ", ") + action;
  }
  const bool of_known = OfTerraform(TextUnder(change, "type")).kind != nullptr;
  if (actions.empty() || actions == "create" || !of_known) return;
  Note(change.at, TextUnder(change, "address"),
       "it is converted as it is before the plan (" + actions + ")");
}

/// Adds the values that are not known yet, which are absent.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
void AddUnknown(const Node& marks, Node& values) {
  for (std::size_t i = 0; i < std::min(marks.items.size(), values.items.size()); ++i) {
    AddUnknown(marks.items[i], values.items[i]);
  }
  for (const Node::Entry& mark : marks.fields) {
    Node* value = FindIn(values, mark.key);
    if (value != nullptr) {
      AddUnknown(mark.value, *value);
    } else if (mark.value.AsBool()) {
      Put(values, mark.key, TextNode(std::string(1, kUnknownPart), values.at));
    }
  }
}

/// Adds the values before a change, or else the values after, and why the values cannot be used.
void ReadChanged(const Node& change, ExportedResource& made) {
  const bool exists = MapUnder(change, "before") != nullptr;
  const Node* values = MapUnder(change, exists ? "before" : "after");
  made.values = values == nullptr ? MapNode(change.at) : *values;
  if (values == nullptr) made.fault = "it has no values: neither \"before\" nor \"after\" is a map";
  const Node* unknown = exists ? nullptr : change.Find("after_unknown");
  if (unknown != nullptr) {
    AddUnknown(*unknown, made.values);
    if (HideMarked(*unknown, *made.of.kind, made.of.type, made.values)) {
      made.fault = "some of it is known only once the plan is applied";
    }
  }
  const Node* secret = change.Find(exists ? "before_sensitive" : "after_sensitive");
  if (secret != nullptr && HideMarked(*secret, *made.of.kind, made.of.type, made.values)) {
    made.fault = kSensitive;
  }
}

void TerraformState::TakeChanged(const Node& change, const std::string& path) {
  ExportedResource made;
  made.type = TextUnder(change, "type");
  made.of = OfTerraform(made.type);
  made.at = change.at;
  made.address = TextUnder(change, "address");
  made.name = MakeModuleName(TextUnder(change, "module_address"), TextUnder(change, "name"),
                             TextUnder(change, "index"));
  if (made.address.empty()) made.address = path;
  taken_.insert(made.address);
  const Node* inner = MapUnder(change, "change");
  if (made.of.kind != nullptr) {
    ReadChanged(inner == nullptr ? change : *inner, made);
  } else if (inner != nullptr) {
    CopyValues(*inner, MapUnder(*inner, "before") == nullptr ? "after" : "before", made);
  }
  Take(std::move(made));
}

/// Reports the keys that no state has, and reads its resources.
void TerraformState::ReadValues(const Node& values, const std::string& path) {
  ReportUnknown(values, "outputs root_module", path);
  const Node* module = MapUnder(values, "root_module");
  if (module != nullptr) ReadModule(*module, manifests::JoinPath(path, "root_module"));
}

void TerraformState::ReadChanges(const Node& changes) {
  for (std::size_t i = 0; i < changes.items.size(); ++i) {
    const Node& change = changes.items[i];
    const std::string path = ItemPath("resource_changes", i);
    if (MayGrantAccess(TextUnder(change, "type"))) {
      ReportUnknown(change, kKeysOfChange, path);
      const Node* inner = MapUnder(change, "change");
      if (inner != nullptr) ReportUnknown(*inner, kKeysOfInnerChange, path + ".change");
    }
    ReportShapes(change, kShownChangeShapes, path);
    if (TextUnder(change, "mode") == "data" || !TextUnder(change, "deposed").empty()) continue;
    const bool exists = taken_.count(TextUnder(change, "address")) > 0;
    if (!exists && IsManaged(change, path)) TakeChanged(change, path);
    NoteChange(change);
  }
}

/// Existing resources are converted in their present state; new resources in the planned state.
void TerraformState::ReadPlan(const Node& root) {
  if (const Node* prior = MapUnder(root, "prior_state")) {
    ReportUnknown(*prior, "format_version terraform_version values checks", "prior_state");
    const Node* values = MapUnder(*prior, "values");
    if (values != nullptr) ReadValues(*values, "prior_state.values");
  }
  const Node* changes = ListUnder(root, "resource_changes");
  if (changes != nullptr) ReadChanges(*changes);
  only_new_ = true;
  const Node* planned = MapUnder(root, "planned_values");
  if (planned != nullptr) ReadValues(*planned, "planned_values");
}

void TerraformState::ReadShown(const Node& root) {
  ReportUnknown(root,
                "format_version terraform_version values checks variables planned_values "
                "resource_changes resource_drift output_changes prior_state configuration "
                "relevant_attributes timestamp applyable complete errored action_invocations "
                "deferred_changes deferred_action_invocations",
                "");
  ReportShapes(root, kShownShapes, "");
  const Node* values = root.Find("values");
  if (values != nullptr) ReadValues(*values, "values");
  if (values == nullptr) ReadPlan(root);
  const Node* deferred = ListUnder(root, "deferred_changes");
  if (deferred != nullptr && !deferred->items.empty()) {
    LeaveOut(deferred->at, "deferred_changes",
             "the plan decides of these only after it is applied");
  }
  TellPassedOver(root.at);
}

}  // namespace

void ConvertTerraformState(const Node& root, const ConvertWish& wish,
                           const manifests::KindSchemas& kinds, Conversion& conversion) {
  TerraformState state(conversion, kinds, wish.facts);
  root.Find("format_version") != nullptr ? state.ReadShown(root) : state.ReadState(root);
}

}  // namespace bindery::convert
