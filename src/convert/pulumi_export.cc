// Output of `pulumi stack export`, and the checkpoints of self-managed backends.

#include <algorithm>
#include <set>
#include <utility>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/pulumi_types.h"
#include "convert/shapes/shape.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

/// Of a resource, as far as other checks do not look at the values.
constexpr ExpectedShape kShapesOfPulumiResource[] = {
    {"urn", Shape::kText},           {"type", Shape::kText},
    {"inputs", Shape::kMap},         {"outputs", Shape::kMap},
    {"delete", Shape::kFlag},        {"external", Shape::kFlag},
    {"protect", Shape::kFlag},       {"retainOnDelete", Shape::kFlag},
    {"provider", Shape::kText},      {"pendingReplacement", Shape::kFlag},
    {"ignoreChanges", Shape::kList}, {"ignoreChanges[]", Shape::kText},
};
/// Of a deployment, likewise.
constexpr ExpectedShape kShapesOfDeployment[] = {
    {"resources", Shape::kList},
    {"pending_operations", Shape::kList},
    {"pending_operations[]", Shape::kMap},
    {"pending_operations[].type", Shape::kText},
    {"pending_operations[].resource", Shape::kMap},
};
/// Of an export, likewise. A stack without a deployment has none.
constexpr ExpectedShape kShapesOfExport[] = {
    {"deployment", Shape::kMap, Null::kIsAbsent},
    {"checkpoint", Shape::kMap},
    {"checkpoint.latest", Shape::kMap, Null::kIsAbsent},
};

/// A map with this key is no map: the map stands for a secret, a file, another resource.
constexpr std::string_view kSpecialKey = "4dabf18193072939515e22adb298388d";
constexpr std::string_view kSecretValue = "1b47061264138c4ac30d75fd1eb44270";
/// Stands for an unknown value.
constexpr std::string_view kUnknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// The marks of values that cannot be written: `true` in the place of each such value.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
Node SpecialIn(const Node& value) {
  const bool special = value.Find(kSpecialKey) != nullptr ||
                       (value.kind == NodeKind::kString && value.text == kUnknownValue);
  Node marks = value;
  marks.text = special ? "true" : "false";
  for (Node& item : marks.items) item = SpecialIn(item);
  for (Node::Entry& entry : marks.fields) entry.value = SpecialIn(entry.value);
  if (special) marks.fields.clear();
  if (marks.kind == NodeKind::kNull || special || (marks.items.empty() && marks.fields.empty())) {
    marks.kind = NodeKind::kBool;
  }
  return marks;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
bool HasSecret(const Node& value) {
  if (TextUnder(value, kSpecialKey) == kSecretValue) return true;
  return std::ranges::any_of(value.items, HasSecret) ||
         std::ranges::any_of(value.fields,
                             [](const Node::Entry& entry) { return HasSecret(entry.value); });
}

/// The provider's outputs, and the program's inputs without an output of the same name. An input
/// that is a secret is one in the outputs, too.
Node GetValues(const Node& resource) {
  const Node* outputs = MapUnder(resource, "outputs");
  const Node* inputs = MapUnder(resource, "inputs");
  Node values = outputs == nullptr ? MapNode(resource.at) : *outputs;
  for (const Node::Entry& entry : inputs == nullptr ? std::vector<Node::Entry>() : inputs->fields) {
    Node* output = FindIn(values, entry.key);
    if (output == nullptr) {
      values.fields.push_back(entry);
    } else if (output->kind == NodeKind::kNull || (HasSecret(entry.value) && !HasSecret(*output))) {
      *output = entry.value;
    }
  }
  return values;
}

bool IsTrue(const Node& map, std::string_view key) {
  const Node* value = map.Find(key);
  return value != nullptr && value->kind == NodeKind::kBool && value->AsBool();
}

class PulumiExport final : public Exports {
 public:
  using Exports::Exports;
  void Read(const Node& root);

 private:
  void ReadResources(const Node& deployment, const std::string& path);
  void ReadPending(const Node& deployment, const std::string& path);
  void TakeResource(const Node& resource, const std::string& path, const std::string& pending);
  [[nodiscard]] ExportedResource Described(const Node& resource, const std::string& path) const;
  void ReadOptions(const Node& resource, ExportedResource& made);

  std::set<std::string> urns_;
};

ExportedResource PulumiExport::Described(const Node& resource, const std::string& path) const {
  ExportedResource made;
  made.type = TextUnder(resource, "type");
  made.address = TextUnder(resource, "urn");
  made.name = NameInUrn(made.address);
  made.at = resource.at;
  if (made.address.empty()) made.address = path;
  made.of = FindBridgedType(made.type, kinds());
  if (made.of.kind != nullptr) return made;
  const auto kind = FindPulumiKind(made.type, /*lookup=*/false, table(), kinds());
  if (kind) {
    made.of = {*kind, nullptr};
  } else {
    made.fault = kind.error();
  }
  return made;
}

void PulumiExport::ReadOptions(const Node& resource, ExportedResource& made) {
  made.options = MapNode(resource.at);
  for (const char* option : {"protect", "retainOnDelete"}) {
    if (IsTrue(resource, option)) Put(made.options, option, *resource.Find(option));
  }
  const Node* ignored = ListUnder(resource, "ignoreChanges");
  if (ignored != nullptr && !ignored->items.empty()) Put(made.options, "ignoreChanges", *ignored);
  // "URN::ID": default providers are called "default" and a version.
  const std::string provider = NameInUrn(TextUnder(resource, "provider"));
  if (provider.empty() || provider.starts_with("default")) return;
  Note(made.at, made.address,
       "Pulumi uses its provider " + manifests::Quote(provider.substr(0, provider.rfind("::"))) +
           " for it: set options.provider where another provider of bindery.yaml is to be used");
}

void PulumiExport::TakeResource(const Node& resource, const std::string& path,
                                const std::string& pending) {
  if (resource.kind != NodeKind::kMap) {
    return LeaveOut(resource.at, path, "expected a map, found " + WhatIs(resource));
  }
  ReportShapes(resource, kShapesOfPulumiResource, path);
  if (IsTrue(resource, "delete")) {
    return PassOver("resource that is to be deleted", "resources that are to be deleted");
  }
  if (IsTrue(resource, "external")) {
    return PassOver("resource that is only read", "resources that are only read");
  }
  ExportedResource made = Described(resource, path);
  made.values = GetValues(resource);
  const bool by_type = GrantsAccess(made.type) ||
                       (facts().granting_field && !facts().granting_field(made.type).empty());
  if (made.of.kind == nullptr && !made.type.empty() && !by_type) return Take(std::move(made));
  ReportUnknown(resource,
                "urn custom delete id type inputs outputs parent protect external dependencies "
                "initErrors provider propertyDependencies pendingReplacement "
                "additionalSecretOutputs aliases customTimeouts importID retainOnDelete "
                "deletedWith created modified sourcePosition stackTrace ignoreChanges "
                "replaceOnChanges replacementTrigger hideDiff refreshBeforeUpdate viewOf "
                "resourceHooks replaceWith taint envVarMappings",
                path);
  if (made.of.kind == nullptr) return Take(std::move(made));
  const bool secret = HasSecret(made.values);
  if (HideMarked(SpecialIn(made.values), *made.of.kind, made.of.type, made.values)) {
    made.fault = secret ? "some of it is secret, and is not written anywhere"
                        : "some of its values are no plain values";
  }
  if (IsTrue(resource, "pendingReplacement")) {
    made.fault = "an interrupted replacement has deleted it: pulumi up creates it anew";
  }
  if (!pending.empty()) made.fault = pending;
  ReadOptions(resource, made);
  Take(std::move(made));
}

void PulumiExport::ReadPending(const Node& deployment, const std::string& path) {
  const Node* operations = ListUnder(deployment, "pending_operations");
  for (std::size_t i = 0; operations != nullptr && i < operations->items.size(); ++i) {
    const Node& operation = operations->items[i];
    ReportUnknown(operation, "resource type",
                  ItemPath(manifests::JoinPath(path, "pending_operations"), i));
    const Node* resource = MapUnder(operation, "resource");
    if (resource == nullptr) continue;
    const std::string at = ItemPath(manifests::JoinPath(path, "pending_operations"), i);
    const std::string what = "an operation on it was interrupted (" + TextUnder(operation, "type") +
                             "): pulumi refresh finds out what came of it";
    const std::string urn = TextUnder(*resource, "urn");
    if (urns_.count(urn) == 0) {
      TakeResource(*resource, at, what);
    } else if (Described(*resource, at).of.kind != nullptr) {
      Note(resource->at, urn, what);
    }
  }
}

void PulumiExport::ReadResources(const Node& deployment, const std::string& path) {
  ReportUnknown(deployment, "manifest secrets_providers resources pending_operations metadata",
                path);
  ReportShapes(deployment, kShapesOfDeployment, path);
  const Node* resources = ListUnder(deployment, "resources");
  for (std::size_t i = 0; resources != nullptr && i < resources->items.size(); ++i) {
    urns_.insert(TextUnder(resources->items[i], "urn"));
    TakeResource(resources->items[i], ItemPath(manifests::JoinPath(path, "resources"), i), "");
  }
  ReadPending(deployment, path);
}

void PulumiExport::Read(const Node& root) {
  ReportUnknown(root, "version features deployment checkpoint", "");
  ReportShapes(root, kShapesOfExport, "");
  const Node* deployment = root.Find("deployment");
  std::string path = "deployment";
  if (const Node* checkpoint = root.Find("checkpoint")) {
    ReportUnknown(*checkpoint, "stack config latest", "checkpoint");
    deployment = checkpoint->Find("latest");
    path = "checkpoint.latest";
  }
  if (deployment != nullptr && deployment->kind == NodeKind::kMap) ReadResources(*deployment, path);
  TellPassedOver(root.at);
}

}  // namespace

void ConvertPulumiExport(const Node& root, const ConvertWish& wish,
                         const manifests::KindSchemas& kinds, Conversion& conversion) {
  PulumiExport(conversion, kinds, wish.facts).Read(root);
}

}  // namespace bindery::convert
