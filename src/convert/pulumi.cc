#include "convert/pulumi.h"

#include <algorithm>
#include <utility>

#include "convert/exported_spec.h"
#include "convert/exports.h"
#include "convert/expressions.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/pulumi_types.h"
#include "convert/shapes/keys.h"
#include "convert/target_name.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

namespace {

constexpr std::string_view kCall = "fn::";

bool IsCall(std::string_view key) { return AsciiLower(key.substr(0, kCall.size())) == kCall; }

}  // namespace

void ConvertPulumi(const Node& root, const ConvertWish& wish, const manifests::KindSchemas& kinds,
                   Conversion& conversion) {
  Pulumi(conversion, kinds, wish).Run(root);
}

tl::expected<manifests::Template, manifests::TextFault> Pulumi::Parse(std::string_view text) const {
  return ParsePulumiText(text);
}

void Pulumi::ReportSections(const Node& root) {
  static const std::vector<std::string> kSections = {"name",
                                                     "runtime",
                                                     "description",
                                                     "author",
                                                     "website",
                                                     "license",
                                                     "backend",
                                                     "main",
                                                     "stackConfigDir",
                                                     "template",
                                                     "plugins",
                                                     "packages",
                                                     "options",
                                                     "pulumi",
                                                     "config",
                                                     "outputs",
                                                     "variables",
                                                     "resources",
                                                     "requiredPulumiVersion",
                                                     "configuration"};
  for (const Node::Entry& entry : root.fields) {
    if (std::ranges::find(kSections, entry.key) != kSections.end()) continue;
    LeaveOut(entry.key_at, entry.key,
             entry.key == "components"
                 ? "components are not looked into"
                 : "a program has no such section" + manifests::DidYouMean(entry.key, kSections));
  }
}

void Pulumi::Run(const Node& root) {
  ReportSections(root);
  for (const char* section : {"config", "configuration"}) {
    LeaveOutAll(root, section, "manifests have no configuration values: write them out");
  }
  LeaveOutAll(root, "outputs", "there are no outputs: bindery get shows those of each resource");
  // A key without a value has no entries.
  constexpr ExpectedShape kSections[] = {{"config", Shape::kMap, Null::kIsAbsent},
                                         {"configuration", Shape::kMap, Null::kIsAbsent},
                                         {"outputs", Shape::kMap, Null::kIsAbsent},
                                         {"variables", Shape::kMap, Null::kIsAbsent},
                                         {"resources", Shape::kMap, Null::kIsAbsent}};
  ReportWrong(FindWrongShapes(root, kSections, ""), conversion());
  if (const Node* resources = MapUnder(root, "resources")) {
    for (const Node::Entry& entry : resources->fields) NameResource(entry);
  }
  if (const Node* variables = MapUnder(root, "variables")) {
    for (const Node::Entry& entry : variables->fields) NameVariable(entry);
  }
  for (const Plan& plan : variables_) MakeVariable(plan);
  for (const Plan& plan : resources_) MakeResource(plan);
}

void Pulumi::LeaveOutAll(const Node& root, const char* section, const char* reason) {
  const Node* node = root.Find(section);
  if (node == nullptr) return;
  for (const Node::Entry& entry : node->fields) {
    const std::string path = manifests::JoinPath(section, entry.key);
    if (section[0] == 'c' && TakeConfiguredProject(entry)) {
      Note(entry.key_at, path,
           "the project of resources that name no provider; a stack may have another one");
    } else {
      LeaveOutHarmless(entry.key_at, path, reason);
    }
    if (section[0] == 'c') symbols_.emplace(entry.key, Symbol{.reason = "it is configuration"});
  }
}

void Pulumi::Define(const Node::Entry& entry, const std::string& path, Symbol symbol) {
  if (!symbols_.emplace(entry.key, std::move(symbol)).second) {
    LeaveOut(entry.key_at, path, "another part of the program has that name");
  }
}

void Pulumi::ReportSettings(const Node::Entry& provider, const std::string& path) {
  constexpr ExpectedShape kProperties[] = {
      {"properties", Shape::kMap, Null::kIsAbsent},
      {"defaultProvider", Shape::kFlag, Null::kIsAbsent},
  };
  ReportWrong(FindWrongShapes(provider.value, kProperties, path), conversion());
  const std::string unknown = FindUnknownKey(
      provider.value, "type name properties options defaultProvider get version", path);
  if (!unknown.empty()) LeaveOut(provider.key_at, path, unknown);
  const Node* properties = MapUnder(provider.value, "properties");
  if (properties == nullptr) return;
  const std::string below = manifests::JoinPath(path, "properties");
  ReportWrong(FindOtherCase(*properties, "project region zone alias", below), conversion());
  const Node* project = properties->Find("project");
  if (project == nullptr || project->kind == NodeKind::kNull) return;
  // A call is a map.
  if (project->kind != NodeKind::kString && project->kind != NodeKind::kMap) {
    LeaveOut(project->at, below + ".project", "expected a text, found " + WhatIs(*project));
  }
}

void Pulumi::NameResource(const Node::Entry& entry) {
  const std::string path = manifests::JoinPath("resources", entry.key);
  const auto refuse = [&](Position at, const std::string& reason, bool harmless = false) {
    const std::string whole = "the whole resource: " + reason;
    harmless ? LeaveOutHarmless(at, path, whole) : LeaveOut(at, path, whole);
    Define(entry, path, Symbol{.reason = "that resource is left out"});
  };
  const Node* type = entry.value.Find("type");
  if (type == nullptr || type->kind != NodeKind::kString) {
    return refuse(entry.key_at, "it has no \"type\"");
  }
  if (type->text.rfind("pulumi:providers:", 0) == 0) {
    Note(type->at, path, "providers belong into the configuration file: bindery.yaml");
    AddProvider(entry.key, entry.value);
    ReportSettings(entry, path);
    return Define(entry, path, Symbol{.reason = "it is a provider"});
  }
  Plan plan = {&entry, path, "", nullptr};
  const Counterpart bridged = FindBridgedType(type->text, kinds());
  plan.kind = bridged.kind;
  plan.bridged = bridged.type;
  if (plan.kind == nullptr) {
    const FoundKind kind = FindPulumiKind(type->text, /*lookup=*/false, table(), kinds());
    if (!kind) {
      const Node* properties = MapUnder(entry.value, "properties");
      const std::string_view field = properties == nullptr
                                         ? std::string_view()
                                         : FindGrantingField(wish().facts, type->text, *properties);
      const bool access = wish().facts.grants_access && wish().facts.grants_access(type->text);
      return refuse(type->at, field.empty() ? kind.error() : ExplainGrantingField(field),
                    !access && field.empty());
    }
    plan.kind = *kind;
  }
  if (const Node* get = entry.value.Find("get")) {
    return refuse(get->at,
                  "\"get\" reads what others manage; bindery lookup shows it without a manifest",
                  /*harmless=*/true);
  }
  plan.name = NewName(entry.key, entry.key_at, path);
  Define(entry, path,
         Symbol{.manifest = plan.name, .kind = plan.kind, .short_name = plan.bridged != nullptr});
  resources_.push_back(std::move(plan));
}

void Pulumi::NameVariable(const Node::Entry& entry) {
  const std::string path = manifests::JoinPath("variables", entry.key);
  const auto refuse = [&](Position at, const std::string& reason) {
    LeaveOutHarmless(at, path, reason);
    Define(entry, path, Symbol{.reason = "that variable is left out"});
  };
  const std::optional<Invocation> call = FindInvocation(entry.value);
  if (!call) {
    std::optional<Node> literal = Literal(entry.value);
    if (literal) return Define(entry, path, Symbol{.literal = std::move(literal)});
    return refuse(entry.value.at, "only lookups (fn::invoke) and plain values can be carried over");
  }
  if (MakesPolicy(*call)) return NamePolicy(entry, path, *call);
  const FoundKind kind = FindPulumiKind(call->token, /*lookup=*/true, table(), kinds());
  if (!kind) return refuse(entry.value.at, kind.error());
  tl::expected<manifests::FieldPath, std::string> result = MakeResult(*call);
  if (!result) return refuse(entry.value.at, result.error());
  if (symbols_.count(entry.key) > 0) return Define(entry, path, {});
  Plan plan = {&entry, path, NewName(entry.key, entry.key_at, path), *kind};
  Define(entry, path, Symbol{.manifest = plan.name, .kind = *kind, .below = std::move(*result)});
  variables_.push_back(std::move(plan));
}

/// The properties as the kind has them.
std::optional<Node> Pulumi::MakeSpec(const Plan& plan, const Node& properties, Draft& draft) {
  const std::string path = manifests::JoinPath(plan.path, "properties");
  if (properties.kind != NodeKind::kMap) return Value(properties, path, draft.refers_to);
  if (plan.bridged == nullptr) {
    return Value(WithoutExtras(*plan.kind, properties, path), path, draft.refers_to);
  }
  if (properties.Find("policyData") != nullptr) return PolicySpec(plan, properties, draft);
  auto named = WithName(*plan.bridged, plan.entry->value, WithSnakeKeys(properties));
  if (!named) {
    LeaveOut(properties.at, path, named.error());
    return std::nullopt;
  }
  for (Node::Entry& field : named->fields) {
    const auto known = std::ranges::find_if(plan.kind->inputs, [&](const manifests::Field& input) {
      return SnakeCase(input.name) == field.key;
    });
    if (known != plan.kind->inputs.end()) field.key = known->name;
  }
  return Value(*named, path, draft.refers_to);
}

Node Pulumi::WithoutExtras(const manifests::KindSchema& kind, const Node& properties,
                           const std::string& path) {
  Node kept = MapNode(properties.at);
  for (const Node::Entry& entry : properties.fields) {
    const auto& extras = kind.elsewhere.pulumi_extras;
    // Part of a name may be called like it: "version".
    const bool part =
        entry.value.kind == NodeKind::kString &&
        std::ranges::find(kind.inputs, entry.key, &manifests::Field::name) != kind.inputs.end();
    if (part || std::ranges::find(extras, entry.key) == extras.end()) {
      kept.fields.push_back(entry);
    } else {
      LeaveOut(entry.key_at, manifests::JoinPath(path, entry.key),
               "it grants nothing, and manifests lack it");
    }
  }
  return kept;
}

tl::expected<Meaning, std::string> Pulumi::Find(const manifests::FieldPath& path) const {
  const auto found = symbols_.find(path.front().name);
  if (found != symbols_.end()) {
    const bool short_name = path.size() > 1 && path[1].name == "name" && found->second.short_name;
    if (!short_name) return Follow(found->second, path, 1);
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) +
                          " is a short name there, and the full resource name in the manifest");
  }
  if (path.front().name == "pulumi") {
    return tl::unexpected("manifests know nothing of a stack: " +
                          manifests::Quote(manifests::PathText(path)));
  }
  std::vector<std::string> names;
  for (const auto& [name, symbol] : symbols_) names.push_back(name);
  return tl::unexpected("the program has no " + manifests::Quote(path.front().name) +
                        manifests::DidYouMean(path.front().name, names));
}

std::optional<Pulumi::Invocation> Pulumi::FindInvocation(const Node& node) {
  if (node.kind != NodeKind::kMap || node.fields.size() != 1) return std::nullopt;
  const Node::Entry& only = node.fields.front();
  if (!IsCall(only.key)) return std::nullopt;
  Invocation call;
  call.token = only.key.substr(kCall.size());
  if (AsciiLower(call.token) != "invoke") {
    // The short form names the function itself: "fn::monitoring:getCurrentUser".
    if (call.token.find(':') == std::string::npos) return std::nullopt;
    call.arguments = &only.value;
    return call;
  }
  call.function = only.value.Find("function");
  call.token = call.function == nullptr ? std::string() : call.function->text;
  call.arguments = only.value.Find("arguments");
  call.options = only.value.Find("options");
  call.result = only.value.Find("return");
  for (const Node::Entry& entry : only.value.fields) {
    const bool known = entry.key == "function" || entry.key == "arguments" ||
                       entry.key == "options" || entry.key == "return";
    if (!known) call.unknown = entry.key;
  }
  return call;
}

tl::expected<manifests::FieldPath, std::string> Pulumi::MakeResult(const Invocation& call) {
  if (!call.unknown.empty())
    return tl::unexpected("a call has no " + manifests::Quote(call.unknown));
  if (call.result == nullptr) return manifests::FieldPath();
  tl::expected<manifests::FieldPath, manifests::TextFault> path =
      manifests::ParseFieldPath(call.result->text);
  if (!path) return tl::unexpected("\"return\" is no path of a field: " + path.error().message);
  return std::move(*path);
}

std::optional<tl::expected<Meaning, std::string>> Pulumi::Call(const Node& node,
                                                               const std::string& path) {
  using Result = tl::expected<Meaning, std::string>;
  if (node.kind != NodeKind::kMap || node.fields.size() != 1) return std::nullopt;
  const std::string& key = node.fields.front().key;
  if (!IsCall(key)) return std::nullopt;
  const std::optional<Invocation> call = FindInvocation(node);
  if (!call)
    return Result(
        tl::unexpected("the function " + manifests::Quote(key) + " cannot be carried over"));
  const FoundKind kind = FindPulumiKind(call->token, /*lookup=*/true, table(), kinds());
  if (!kind) return Result(tl::unexpected(kind.error()));
  const tl::expected<manifests::FieldPath, std::string> below = MakeResult(*call);
  if (!below) return Result(tl::unexpected(below.error()));

  const auto text_of = [](const Node* part) { return part ? yaml::ToJson(*part).dump() : ""; };
  const std::string meant =
      (*kind)->token.Text() + " " + text_of(call->arguments) + " " + text_of(call->options);
  auto known = inline_lookups_.find(meant);
  if (known == inline_lookups_.end()) {
    Draft draft;
    draft.name = NewName((*kind)->token.kind, node.at, path);
    draft.origin = path;
    draft.kind = *kind;
    const std::string name = draft.name;
    if (!MakeLookup(std::move(draft), *call, path, node.at)) {
      return Result(tl::unexpected(std::string("the lookup's arguments cannot be carried over")));
    }
    known = inline_lookups_.emplace(meant, name).first;
  }
  return Result(Meaning{known->second, *below});
}

bool Pulumi::MakeLookup(Draft draft, const Invocation& call, const std::string& path, Position at) {
  Node spec = MapNode(at);
  if (call.arguments != nullptr && call.arguments->kind != NodeKind::kNull) {
    const std::string below = manifests::JoinPath(path, "arguments");
    if (call.arguments->kind != NodeKind::kMap) {
      LeaveOut(call.arguments->at, below, "expected a map, found " + WhatIs(*call.arguments));
      return false;
    }
    std::optional<Node> arguments = Value(*call.arguments, below, draft.refers_to);
    if (!arguments) return false;
    spec = std::move(*arguments);
  }
  Node options = MapNode(at);
  if (call.options != nullptr) {
    options = BuildOptions(*call.options, manifests::JoinPath(path, "options"), draft.name);
  }
  AddDraft(std::move(draft), std::move(spec), std::move(options), at);
  return true;
}

void Pulumi::MakeVariable(const Plan& plan) {
  const std::optional<Invocation> call = FindInvocation(plan.entry->value);
  Draft draft = {plan.name, plan.path, plan.kind, {}, {}};
  if (!MakeLookup(std::move(draft), *call, plan.path, plan.entry->key_at)) {
    LeaveOut(plan.entry->key_at, plan.path, std::string(kIncomplete));
  }
}

void Pulumi::MakeResource(const Plan& plan) {
  const Node& body = plan.entry->value;
  for (const Node::Entry& entry : body.fields) {
    // Names of Pulumi's own, and what is read below.
    const bool known = entry.key == "type" || entry.key == "name" || entry.key == "properties" ||
                       entry.key == "options" || entry.key == "defaultProvider";
    if (known) continue;
    LeaveOut(entry.key_at, manifests::JoinPath(plan.path, entry.key),
             "manifests have nothing like it");
  }
  Draft draft = {plan.name, plan.path, plan.kind, {}, {}};
  Node spec = MapNode(plan.entry->key_at);
  const Node* properties = body.Find("properties");
  if (properties != nullptr && properties->kind != NodeKind::kNull) {
    const std::string path = manifests::JoinPath(plan.path, "properties");
    std::optional<Node> value = MakeSpec(plan, *properties, draft);
    if (value && value->kind != NodeKind::kMap) {
      LeaveOut(properties->at, path, "expected a map, found " + WhatIs(*properties));
    }
    const Counterpart of = {plan.kind, plan.bridged};
    if (!value || value->kind != NodeKind::kMap) {
      LeaveOut(plan.entry->key_at, plan.path, std::string(kIncomplete));
      return Hold({plan.path, plan.entry->key_at, plan.kind, KnownSpec(of, Known(*properties))});
    }
    spec = WithMergedEntries(of, *value);
  }
  Node options = MapNode(plan.entry->key_at);
  if (const Node* given = body.Find("options")) {
    options = BuildOptions(*given, manifests::JoinPath(plan.path, "options"), plan.name);
    if (plan.bridged != nullptr) {
      CompleteImport(*plan.bridged, body, plan.path, spec, options);
    }
  }
  AddDraft(std::move(draft), std::move(spec), std::move(options), plan.entry->key_at);
}

}  // namespace bindery::convert
