// The options of a Pulumi resource or call, as those of a manifest.

#include <string_view>
#include <utility>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/pulumi.h"
#include "convert/pulumi_types.h"
#include "convert/shapes/keys.h"
#include "convert/target_name.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {
namespace {

using yaml::Node;
using yaml::NodeKind;

struct Unsupported {
  std::string_view option;
  std::string_view reason;
  bool harmless = false;  ///< Without it nothing else happens.
};

constexpr std::string_view kProvider =
    "set options.provider to the name of a provider of bindery.yaml, else the default one is used";

constexpr std::string_view kProviderTypes = "pulumi:providers:";

constexpr Unsupported kUnsupported[] = {
    {"deleteBeforeReplace", "what is new is always written before what it replaces is removed"},
    {"parent", "manifests have no parents, and inherit no options"},
    {"provider", kProvider},
    {"providers", kProvider},
    {"replaceOnChanges", "a change of what names the resource replaces it, no other does"},
    {"deletedWith", "a policy that is gone with its resource counts as deleted"},
    {"additionalSecretOutputs", "which outputs are secret is a matter of the kind"},
    {"version", "there are no plugins", true},
    {"pluginDownloadURL", "there are no plugins", true},
    {"hideDiffs", "it concerns the display only", true},
};

/// Options with the same meaning here.
bool IsKept(std::string_view option) {
  constexpr std::string_view kKept[] = {"protect", "retainOnDelete", "ignoreChanges", "import",
                                        "customTimeouts"};
  for (const std::string_view kept : kKept) {
    if (option == kept) return true;
  }
  return false;
}

}  // namespace

Node Pulumi::BuildOptions(const Node& node, const std::string& path, const std::string& name) {
  Node options = MapNode(node.at);
  if (node.kind == NodeKind::kNull) return options;
  if (node.kind != NodeKind::kMap) LeaveOut(node.at, path, "expected a map, found " + WhatIs(node));
  for (const Node::Entry& entry : node.fields) {
    const std::string at = manifests::JoinPath(path, entry.key);
    if (IsKept(entry.key)) {
      Put(options, entry.key, entry.value);
    } else if (entry.key == "dependsOn") {
      if (auto names = Dependencies(entry.value, at)) Put(options, entry.key, std::move(*names));
    } else if (entry.key == "aliases") {
      if (auto names = Aliases(entry.value, at, name)) Put(options, entry.key, std::move(*names));
    } else {
      PassOver(entry, at);
    }
  }
  return options;
}

/// Where the default provider serves the resource, and is in the file: its name.
std::string PulumiProviders::FindDefaultProvider(const Node& resource) const {
  const std::string type = resource.Find("type")->text;
  const std::string wanted = std::string(kProviderTypes) + type.substr(0, type.find(':'));
  for (const auto& [name, provider] : providers_) {
    const Node* flag = provider->Find("defaultProvider");
    if (flag != nullptr && flag->AsBool() && provider->Find("type")->text == wanted) return name;
  }
  return "";
}

bool PulumiProviders::TakeConfiguredProject(const Node::Entry& entry) {
  if (entry.key != "gcp:project" && entry.key != "gcp:config:project") return false;
  ReportWrong(FindOtherCase(entry.value, "default secret value", "config." + entry.key),
              conversion());
  const Node* value = &entry.value;
  if (value->kind == NodeKind::kMap) {
    value = entry.value.Find("value") != nullptr ? entry.value.Find("value")
                                                 : entry.value.Find("default");
  } else if (value->kind == NodeKind::kNull) {
    return true;
  }
  const Node* secret = entry.value.Find("secret");
  const bool is_secret = secret != nullptr && secret->text == "true";
  // Or a value that each stack sets.
  const bool is_known = !is_secret && value != nullptr && value->kind == NodeKind::kString &&
                        value->text.find("${") == std::string::npos;
  configured_project_ = is_known ? *value : TextNode(std::string(1, kUnknownPart), entry.value.at);
  return true;
}

Node PulumiProviders::GetDefaults(const Node& body) const {
  const Node* options = MapUnder(body, "options");
  const Node* given = options == nullptr ? nullptr : options->Find("provider");
  Node defaults = MapNode(body.at);
  std::string provider;
  if (given == nullptr || given->kind == NodeKind::kNull) {
    provider = FindDefaultProvider(body);
    if (provider.empty()) {
      if (configured_project_) Put(defaults, "project", *configured_project_);
      return defaults;
    }
  } else if (const auto pieces = Parse(given->text);
             pieces && manifests::IsLoneExpression(*pieces)) {
    provider = pieces->front().path->front().name;
  }
  const auto found = providers_.find(provider);
  const bool here = found != providers_.end();
  const Node* settings = here ? MapUnder(*found->second, "properties") : nullptr;
  const Node* project = settings == nullptr ? nullptr : settings->Find("project");
  if (here && project == nullptr) return defaults;
  Put(defaults, "project",
      here ? Known(*project) : TextNode(std::string(1, kUnknownPart), body.at));
  return defaults;
}

tl::expected<Node, std::string> PulumiProviders::WithName(const manifests::TerraformType& type,
                                                          const Node& resource,
                                                          const Node& arguments) const {
  auto named = WithFullName(type, arguments, GetDefaults(resource));
  if (named && named->Find("name") == nullptr && !wish_.default_project.empty()) {
    Node project = MapNode(arguments.at);
    Put(project, "project", TextNode(wish_.default_project, arguments.at));
    named = WithFullName(type, arguments, project);
  }
  if (!named || type.name.empty()) return named;
  const Node* name = named->Find("name");
  if (name == nullptr) {
    return tl::unexpected("nothing says which " + type.name +
                          " it is: neither the resource, nor its provider, nor the project of "
                          "bindery.yaml (-c)");
  }
  if (HasUnknown(*name)) {
    return tl::unexpected(
        std::string("it is of its provider's project, which the file does not tell"));
  }
  return named;
}

void PulumiProviders::CompleteImport(const manifests::TerraformType& type, const Node& resource,
                                     const std::string& path, const Node& spec, Node& options) {
  Node* import = FindIn(options, "import");
  const Node* name = spec.Find("name");
  if (import == nullptr || name == nullptr || type.name.empty()) return;
  const Node known = Known(*import);
  const auto id = HasUnknown(known)
                      ? std::nullopt
                      : MakeImportId(type, name->text, known.text, GetDefaults(resource));
  if (id) {
    import->text = *id;
    return;
  }
  LeaveOutHarmless(import->at, manifests::JoinPath(path, "options.import"),
                   "the id is of another resource, or of a form that is not known");
  EraseFrom(options, "import");
}

/// An option without a counterpart in manifests.
void Pulumi::PassOver(const Node::Entry& entry, const std::string& path) {
  std::string_view reason = "bindery has no such option";
  bool harmless = false;
  for (const Unsupported& unsupported : kUnsupported) {
    if (unsupported.option != entry.key) continue;
    reason = unsupported.reason;
    harmless = unsupported.harmless;
  }
  harmless ? Note(entry.key_at, path, std::string(reason))
           : LeaveOut(entry.key_at, path, std::string(reason));
}

std::optional<Node> Pulumi::Dependencies(const Node& node, const std::string& path) {
  const std::vector<Node> given = node.kind == NodeKind::kList ? node.items : std::vector{node};
  Node names = ListNode({}, node.at);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Node& item = given[i];
    const std::string at = ItemPath(path, i);
    const auto pieces = Parse(item.text);
    if (item.kind != NodeKind::kString || !pieces || !manifests::IsLoneExpression(*pieces)) {
      LeaveOut(item.at, at, "expected a resource, such as ${name}");
      continue;
    }
    const auto meaning = Find(*pieces->front().path);
    if (meaning && meaning->literal == nullptr) {
      names.items.push_back(TextNode(meaning->manifest, item.at));
    } else {
      LeaveOut(item.at, at, meaning ? "it is a value, not a resource" : meaning.error());
    }
  }
  return names.items.empty() ? std::nullopt : std::optional<Node>(std::move(names));
}

std::optional<Node> Pulumi::Aliases(const Node& node, const std::string& path,
                                    const std::string& name) {
  Node names = ListNode({}, node.at);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    const Node* former =
        item.kind == NodeKind::kMap && item.fields.size() == 1 ? item.Find("name") : &item;
    if (former == nullptr || former->kind != NodeKind::kString || former->text.empty()) {
      LeaveOut(item.at, ItemPath(path, i), "only former names can be carried over");
      continue;
    }
    std::string alias = GetManifestName(NameInUrn(former->text));
    // Another type or parent under the same name: here the name is all there is.
    if (alias != name) names.items.push_back(TextNode(std::move(alias), item.at));
  }
  if (node.kind != NodeKind::kList) {
    LeaveOut(node.at, path, "expected a list, found " + WhatIs(node));
  }
  return names.items.empty() ? std::nullopt : std::optional<Node>(std::move(names));
}

}  // namespace bindery::convert
