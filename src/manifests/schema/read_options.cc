#include "manifests/schema/read_options.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/time_text.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/field_path.h"
#include "manifests/schema/schemas.h"
#include "manifests/schema/validate.h"

namespace bindery::manifests {
namespace {

using yaml::Node;
using Duration = std::optional<std::chrono::milliseconds>;

/// Options with a meaning only for written resources.
constexpr std::array<std::string_view, 7> kOfWriters = {
    "protect", "retainOnDelete", "ignoreChanges", "import", "customTimeouts", "mode", "expired"};

bool HasConditions(const KindSchema& kind) {
  return std::any_of(kind.inputs.begin(), kind.inputs.end(),
                     [](const Field& field) { return field.name == "condition"; });
}

void RefuseForLookups(const Node& options, const KindSchema& kind, Findings& findings) {
  for (const Node::Entry& entry : options.fields) {
    if (OptionApplies(entry.key, kind)) continue;
    const char* why = entry.key == "dependsOn"
                          ? " has no meaning for this kind: it waits for no other manifest"
                          : " has no meaning for a lookup: it reads and never writes";
    findings.Error(entry.key_at, "options." + entry.key, "Unsupported",
                   "option " + Quote(entry.key) + why);
  }
}

/// Calls `visit` with each text of a list among the options, with place and path.
template <typename Visit>
void ForEachText(const Node& options, const std::string& name, const Visit& visit) {
  const Node* list = options.Find(name);
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& item = list->items[i];
    if (item.kind != yaml::NodeKind::kString) continue;
    visit(item, "options." + name + "[" + std::to_string(i) + "]");
  }
}

/// The error of ignoring a field of the kind; nothing when it is an input.
std::optional<CheckFailure> CheckIgnored(const std::string& text, const KindSchema& kind) {
  const tl::expected<FieldPath, TextFault> path = ParseFieldPath(text);
  if (!path) return std::nullopt;  // The field's own check says so.
  const FieldList* const inputs[] = {&kind.inputs};
  const auto found = FindFieldAt(inputs, *path);
  if (!found) return CheckFailure{"UnknownField", found.error()};
  const Field& field = *found->field;
  if (found->inner && field.type == FieldType::kList && field.item_type == FieldType::kString) {
    return CheckFailure{"BadPath", Quote(text) +
                                       " is one of a set, in which no place means "
                                       "anything: ignore all of " +
                                       Quote(field.name)};
  }
  const auto top = FindFieldAt(inputs, {path->front()});
  if (!top || !top->field->identity) return std::nullopt;
  return CheckFailure{"BadPath", Quote(top->field->name) +
                                     " says which resource it is: a change of it cannot be "
                                     "ignored"};
}

/// Only grants under a condition can expire.
void CheckExpired(const Node& options, const KindSchema& kind, Findings& findings) {
  const auto entry = std::find_if(options.fields.begin(), options.fields.end(),
                                  [](const Node::Entry& one) { return one.key == "expired"; });
  if (entry == options.fields.end() || OptionApplies(entry->key, kind)) return;
  findings.Error(
      entry->key_at, "options.expired", "Unsupported",
      "option \"expired\" has no meaning for " + kind.token.kind + ": it has no conditions");
}

void CheckWithKind(const Node& options, const KindSchema& kind, Findings& findings) {
  if (kind.read_only) {
    RefuseForLookups(options, kind, findings);
    return;
  }
  CheckExpired(options, kind, findings);
  ForEachText(options, "ignoreChanges", [&](const Node& item, const std::string& path) {
    if (auto failure = CheckIgnored(item.text, kind)) {
      findings.Add(item.at, path, std::move(*failure));
    }
  });
}

void CheckAliases(const Node& root, const Node& options, Findings& findings) {
  const Node* metadata = root.Find("metadata");
  const Node* name = metadata == nullptr ? nullptr : metadata->Find("name");
  if (name == nullptr) return;
  ForEachText(options, "aliases", [&](const Node& item, const std::string& path) {
    if (item.text != name->text) return;
    findings.Error(item.at, path, "BadAlias",
                   Quote(item.text) + " is the name of this manifest: an alias is a former one");
  });
}

std::vector<std::string> GetTexts(const Json& options, std::string_view name) {
  std::vector<std::string> texts;
  if (const Json* list = FindMember(options, name)) {
    for (const Json& text : *list) {
      if (text.is_string()) texts.push_back(text.get<std::string>());
    }
  }
  return texts;
}

std::vector<ExtraOptions::Place> ListPlaces(const Node& options, const std::string& name) {
  std::vector<ExtraOptions::Place> places;
  ForEachText(options, name, [&](const Node& item, const std::string& /*path*/) {
    places.push_back({item.at.line, item.at.column});
  });
  return places;
}

Duration DurationMember(const Json& object, std::string_view name) {
  const std::string text = StringMember(object, name);
  if (text.empty()) return std::nullopt;
  const auto duration = ParseDuration(text);
  return duration ? Duration(*duration) : std::nullopt;
}

std::shared_ptr<const ExtraOptions> ReadRare(const Node& node, const Json& canonical) {
  ExtraOptions rare;
  rare.depends_on = GetTexts(canonical, "dependsOn");
  rare.ignore_changes = GetTexts(canonical, "ignoreChanges");
  rare.aliases = GetTexts(canonical, "aliases");
  rare.import_id = StringMember(canonical, "import");
  if (const Json* timeouts = FindMember(canonical, "customTimeouts")) {
    rare.create_timeout = DurationMember(*timeouts, "create");
    rare.update_timeout = DurationMember(*timeouts, "update");
    rare.delete_timeout = DurationMember(*timeouts, "delete");
  }
  if (rare == ExtraOptions{}) return nullptr;
  rare.depends_on_at = ListPlaces(node, "dependsOn");
  rare.aliases_at = ListPlaces(node, "aliases");
  return std::make_shared<const ExtraOptions>(std::move(rare));
}

void AddRare(const ExtraOptions& rare, Json& value) {
  if (!rare.depends_on.empty()) value["dependsOn"] = rare.depends_on;
  if (!rare.ignore_changes.empty()) value["ignoreChanges"] = rare.ignore_changes;
  if (!rare.aliases.empty()) value["aliases"] = rare.aliases;
  if (!rare.import_id.empty()) value["import"] = rare.import_id;
  const auto add = [&value](const char* name, const Duration& timeout) {
    if (timeout) value["customTimeouts"][name] = FormatDuration(*timeout);
  };
  add("create", rare.create_timeout);
  add("update", rare.update_timeout);
  add("delete", rare.delete_timeout);
}

}  // namespace

bool MayWaitForOthers(const KindSchema& kind) { return !kind.read_only || !kind.outputs.empty(); }

bool OptionApplies(std::string_view option, const KindSchema& kind) {
  if (option == "dependsOn" && !MayWaitForOthers(kind)) return false;
  if (kind.read_only) {
    return std::find(kOfWriters.begin(), kOfWriters.end(), option) == kOfWriters.end();
  }
  return option != "expired" || HasConditions(kind);
}

FieldList ListOptionFields(const KindSchema& kind) {
  FieldList options;
  for (const Field& field : OptionFields()) {
    if (OptionApplies(field.name, kind)) options.Add(field);
  }
  return options;
}

Options ReadOptions(const Node& root, const KindSchema* kind, Findings& findings) {
  Options options;
  const Node* node = root.Find("options");
  if (node == nullptr) return options;
  const Json canonical =
      Validator(findings, Validator::Texts::kLiteral).Top(node, OptionFields(), "options");
  if (kind != nullptr) CheckWithKind(*node, *kind, findings);
  CheckAliases(root, *node, findings);
  options.provider = StringMember(canonical, "provider");
  if (const Node* provider = node->Find("provider"); provider != nullptr) {
    options.provider_at = {provider->at.line, provider->at.column};
  }
  if (const std::string mode = StringMember(canonical, "mode"); !mode.empty()) {
    options.mode = mode == "observe" ? Mode::kObserve : Mode::kEnforce;
  }
  options.interval = DurationMember(canonical, "interval");
  const auto flag = [&](std::string_view name) {
    const Json* value = FindMember(canonical, name);
    return value != nullptr && value->get<bool>();
  };
  options.suspend = flag("suspend");
  options.protect = flag("protect");
  if (FindMember(canonical, "retainOnDelete") != nullptr) {
    options.retain_on_delete = flag("retainOnDelete");
  }
  options.remove_expired = StringMember(canonical, "expired") == "remove";
  options.rare = ReadRare(*node, canonical);
  return options;
}

Json CanonicalOptions(const Options& options) {
  Json value = Json::object();
  if (!options.provider.empty()) value["provider"] = options.provider;
  if (options.mode) value["mode"] = *options.mode == Mode::kObserve ? "observe" : "enforce";
  if (options.interval) value["interval"] = FormatDuration(*options.interval);
  if (options.suspend) value["suspend"] = true;
  if (options.protect) value["protect"] = true;
  if (options.retain_on_delete) value["retainOnDelete"] = *options.retain_on_delete;
  if (options.remove_expired) value["expired"] = "remove";
  if (options.rare != nullptr) AddRare(*options.rare, value);
  return value;
}

}  // namespace bindery::manifests
