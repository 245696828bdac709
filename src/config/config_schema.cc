#include <cmath>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "config/config_json.h"
#include "providers/registry/providers.h"

namespace bindery::config {
namespace {

// Values of every type may stand in a variable: "${env:NAME}".
constexpr const char* kHoldsVariable = "\\$\\{env:";

/// A text that looks like `pattern`, or holds a variable.
Json Text(const std::string& pattern) {
  return {{"type", "string"}, {"pattern", "(" + pattern + ")|" + kHoldsVariable}};
}

/// A value other than a text, unless a variable.
Json OrVariable(const char* type) {
  return {{"type", {type, "string"}}, {"pattern", kHoldsVariable}};
}

Json Number(const char* type, const Bounds& bounds) {
  Json schema = OrVariable(type);
  const auto bound = [&schema](const char* keyword, double value) {
    if (std::trunc(value) == value) {
      schema[keyword] = static_cast<std::int64_t>(value);
    } else {
      schema[keyword] = value;
    }
  };
  bound("minimum", bounds.least);
  if (!std::isinf(bounds.most)) bound("maximum", bounds.most);
  return schema;
}

Json IsAmong(std::span<const std::string_view> names) {
  Json values = Json::array();
  for (const std::string_view name : names) values.push_back(name);
  return {{"anyOf",
           {{{"enum", std::move(values)}}, {{"type", "string"}, {"pattern", kHoldsVariable}}}}};
}

Json MakeList(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"uniqueItems", true}};
}

constexpr const char* kDuration = "^[0-9]+(ms|s|m|h|d)$";

Json RulesSchema();
Json TargetRulesSchema();
Json AcceptedSchema();
Json ProtectedGrantsSchema();
Json WebhooksSchema();

/// The form of a value; one overload for each type of slot.
struct Describe {
  const Bounds& bounds;

  Json operator()(const std::string* /*slot*/) const { return {{"type", "string"}}; }
  Json operator()(const std::filesystem::path* /*slot*/) const { return {{"type", "string"}}; }
  Json operator()(const bool* /*slot*/) const { return OrVariable("boolean"); }
  Json operator()(const int* /*slot*/) const { return Number("integer", bounds); }
  Json operator()(const double* /*slot*/) const { return Number("number", bounds); }
  Json operator()(const std::chrono::milliseconds* /*slot*/) const { return Text(kDuration); }
  Json operator()(const ListenAddress* /*slot*/) const { return Text(":[0-9]{1,5}$"); }
  Json operator()(const ServiceUrlSlot& /*slot*/) const { return Text("^https?://"); }
  Json operator()(const ServiceUrlsSlot& /*slot*/) const { return Text("^https?://"); }
  Json operator()(const StoreUrlSlot& /*slot*/) const {
    return Text("^(sqlite:.|postgres(ql)?://)");
  }
  Json operator()(const ChoiceSlot& slot) const { return IsAmong(slot.names); }
  Json operator()(const ChoiceListSlot& slot) const { return MakeList(IsAmong(slot.names)); }
  Json operator()(const DurationListSlot& slot) const {
    Json schema = MakeList(Text(kDuration));
    schema["maxItems"] = slot.most;
    return schema;
  }
  Json operator()(const SeverityRulesSlot& /*slot*/) const { return RulesSchema(); }
  Json operator()(const TargetRulesSlot& /*slot*/) const { return TargetRulesSchema(); }
  Json operator()(const AcceptedDriftSlot& /*slot*/) const { return AcceptedSchema(); }
  Json operator()(const ProtectedGrantsSlot& /*slot*/) const { return ProtectedGrantsSchema(); }
  Json operator()(const TimeSlot& /*slot*/) const {
    return Text("^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9:.]+([Zz]|[+-][0-9]{2}:[0-9]{2}))?$");
  }
  Json operator()(const TextListSlot& /*slot*/) const {
    return MakeList({{"type", "string"}, {"minLength", 1}});
  }
  Json operator()(const CountMapSlot& /*slot*/) const {
    return {{"type", "object"}, {"additionalProperties", Number("integer", bounds)}};
  }
  Json operator()(const TextMapSlot& /*slot*/) const {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  }
  Json operator()(const WebhooksSlot& /*slot*/) const { return WebhooksSchema(); }
};

/// A key with nothing behind it is the default.
Json OrNull(Json schema) {
  if (Json* alternatives = schema.contains("anyOf") ? &schema["anyOf"] : nullptr) {
    alternatives->push_back({{"type", "null"}});
    return schema;
  }
  Json& type = schema["type"];
  if (type.is_string()) type = Json::array({type});
  type.push_back("null");
  return schema;
}

Json MakeMap(std::string description) {
  Json schema = Json::object();
  if (!description.empty()) schema["description"] = std::move(description);
  schema["type"] = {"object", "null"};
  schema["properties"] = Json::object();
  schema["additionalProperties"] = false;
  return schema;
}

/// The schema of a key, below its sections; missing sections are made.
template <typename Owner>
Json& Place(Json& map, const Key<Owner>& key) {
  Json* at = &map;
  std::string_view rest = key.path;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    Json& section = (*at)["properties"][std::string(rest.substr(0, dot))];
    if (section.is_null()) section = MakeMap("");
    at = &section;
    rest.remove_prefix(dot + 1);
  }
  if (rest == "*") return (*at)["additionalProperties"];
  return (*at)["properties"][std::string(rest)];
}

/// A section may be the value of its choice `kShortForm`.
void AllowShortForm(Json& section, const ChoiceSlot& choice) {
  std::string pattern;
  for (const std::string_view name : choice.names) {
    pattern += (pattern.empty() ? "^(" : "|") + std::string(name);
  }
  section["type"].push_back("string");
  section["pattern"] = pattern + ")$|" + kHoldsVariable;
}

template <typename Owner>
void AddKeys(Json& map, std::span<const Key<Owner>> keys) {
  Owner defaults;
  for (const Key<Owner>& key : keys) {
    const Slot slot = key.slot(defaults);
    Json schema = {{"description", key.description}};
    schema.update(OrNull(std::visit(Describe{key.bounds}, slot)));
    // The default of a provider depends on the rest of its settings.
    if constexpr (std::is_same_v<Owner, Config>) schema["default"] = GetValue(slot);
    Place(map, key) = std::move(schema);
    const auto dot = key.path.rfind('.');
    const auto* choice = std::get_if<ChoiceSlot>(&slot);
    if (choice == nullptr || dot == std::string_view::npos) continue;
    if (key.path.substr(dot + 1) != kShortForm) continue;
    AllowShortForm(map["properties"][std::string(key.path.substr(0, dot))], *choice);
  }
}

Json RulesSchema() {
  Json rule = MakeMap("");
  rule["type"] = "object";
  AddKeys(rule, SeverityRuleKeys());
  rule["required"] = {"severity"};
  return {{"type", "array"}, {"items", std::move(rule)}};
}

Json TargetRulesSchema() {
  Json rule = MakeMap("");
  rule["type"] = "object";
  AddKeys(rule, TargetRuleKeys());
  rule["required"] = {"match"};
  rule["anyOf"] = {{{"required", {"undeclaredRoles"}}},
                   {{"required", {"selfLockout"}}},
                   {{"required", {"lastOwner"}}}};
  return {{"type", "array"}, {"items", std::move(rule)}};
}

Json AcceptedSchema() {
  Json rule = MakeMap("");
  rule["type"] = "object";
  AddKeys(rule, AcceptedDriftKeys());
  rule["required"] = {"match", "reason", "owner"};
  rule["properties"]["match"]["type"] = "object";
  rule["properties"]["match"]["minProperties"] = 1;
  return {{"type", "array"}, {"items", std::move(rule)}};
}

Json ProtectedGrantsSchema() {
  Json rule = MakeMap("");
  rule["type"] = "object";
  AddKeys(rule, ProtectedGrantsKeys());
  rule["required"] = {"condition"};
  return {{"type", "array"}, {"items", std::move(rule)}};
}

Json WebhooksSchema() {
  Json webhook = MakeMap("");
  webhook["type"] = "object";
  AddKeys(webhook, WebhookKeys());
  webhook["oneOf"] = {{{"required", {"url"}}}, {{"required", {"urlFile"}}}};
  return {{"type", "object"}, {"additionalProperties", std::move(webhook)}};
}

/// The names that several types have, each with a separate meaning.
std::set<std::string> SharedNames() {
  std::map<std::string, std::set<std::string_view>> types;
  for (const std::string_view type : providers::ProviderTypes()) {
    for (const Key<providers::ProviderConfig>& key : ProviderKeys(type)) {
      if (key.only_for == type) types[std::string(TopName(key.path))].insert(type);
    }
  }
  std::set<std::string> shared;
  for (const auto& [name, of] : types) {
    if (of.size() > 1) shared.insert(name);
  }
  return shared;
}

/// For a provider of one type: the keys and sections of further types, and the form of shared
/// keys.
Json ListProperties(std::string_view type, const std::set<std::string>& shared) {
  Json known = MakeMap("");
  AddKeys(known, ProviderKeys(type));
  Json properties = Json::object();
  for (const Key<providers::ProviderConfig>& key : ProviderKeys(type)) {
    if (key.only_for.empty()) continue;
    const std::string name(TopName(key.path));
    if (key.only_for != type) {
      properties[name] = false;
    } else if (shared.contains(name)) {
      properties[name] = known["properties"][name];
    }
  }
  return properties;
}

Json ProviderSchema() {
  Json provider = MakeMap("One account of a cloud.");
  provider["type"] = "object";
  AddKeys(provider, ProviderKeys(""));
  const std::set<std::string> shared = SharedNames();
  for (const std::string& name : shared) provider["properties"][name] = Json::object();
  provider["required"] = {"type"};
  Json rules = Json::array();
  for (const std::string_view type : providers::ProviderTypes()) {
    Json rule = Json::object();
    rule["if"]["properties"]["type"] = {{"const", type}};
    rule["then"]["properties"] = ListProperties(type, shared);
    rules.push_back(std::move(rule));
  }
  provider["allOf"] = std::move(rules);
  return provider;
}

}  // namespace

Json ConfigSchema() {
  Json schema = Json::object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["$id"] = "urn:bindery:schema:configuration";
  schema["title"] = "bindery configuration";
  schema.update(MakeMap("How bindery works: bindery.yaml."));
  AddKeys(schema, ConfigKeys());
  Json providers =
      MakeMap("The accounts of clouds, by name; manifests choose with options.provider.");
  providers["additionalProperties"] = ProviderSchema();
  schema["properties"]["providers"] = std::move(providers);
  return schema;
}

}  // namespace bindery::config
