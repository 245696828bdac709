#include "config/config_json.h"

#include <cmath>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "core/text/time_text.h"

namespace bindery::config {
namespace {

constexpr const char* kMask = "********";

/// The restrictions.
void PutCondition(const ConditionMatch& condition, Json& rule) {
  if (!condition.title.empty()) rule["condition"]["title"] = condition.title;
  if (!condition.expression.empty()) rule["condition"]["expression"] = condition.expression;
  if (condition.ends_within.count() > 0) {
    rule["condition"]["endsWithin"] = FormatDuration(condition.ends_within);
  }
}

/// One overload for each type of slot.
struct Spell {
  Json operator()(const std::string* slot) const { return *slot; }
  Json operator()(const std::filesystem::path* slot) const { return slot->string(); }
  Json operator()(const bool* slot) const { return *slot; }
  Json operator()(const int* slot) const { return *slot; }
  Json operator()(const double* slot) const {
    if (std::trunc(*slot) == *slot) return static_cast<std::int64_t>(*slot);
    return *slot;
  }
  Json operator()(const std::chrono::milliseconds* slot) const { return FormatDuration(*slot); }
  Json operator()(const ListenAddress* slot) const { return slot->Text(); }
  Json operator()(const ServiceUrlSlot& slot) const { return *slot.url; }
  Json operator()(const ServiceUrlsSlot& slot) const { return *slot.urls; }
  Json operator()(const StoreUrlSlot& slot) const { return slot.location->Url(); }
  Json operator()(const ChoiceSlot& slot) const { return slot.names[slot.get()]; }
  Json operator()(const ChoiceListSlot& slot) const {
    Json list = Json::array();
    for (const std::size_t index : slot.get()) list.push_back(slot.names[index]);
    return list;
  }
  Json operator()(const DurationListSlot& slot) const {
    Json list = Json::array();
    for (const auto value : *slot.values) list.push_back(FormatDuration(value));
    return list;
  }
  Json operator()(const TextListSlot& slot) const { return *slot.texts; }
  Json operator()(const CountMapSlot& slot) const {
    Json map = Json::object();
    for (const auto& [name, count] : *slot.counts) map[name] = count;
    return map;
  }
  Json operator()(const TextMapSlot& slot) const {
    Json map = Json::object();
    for (const auto& [name, text] : *slot.texts) map[name] = text;
    return map;
  }
  /// The caller adds the content with the source of each value.
  Json operator()(const WebhooksSlot& /*slot*/) const { return Json::object(); }
  Json operator()(const SeverityRulesSlot& slot) const {
    Json list = Json::array();
    for (const SeverityRule& rule : *slot.rules) list.push_back(GetRule(rule));
    return list;
  }
  Json operator()(const TargetRulesSlot& slot) const {
    Json list = Json::array();
    for (const TargetRule& rule : *slot.rules) list.push_back(GetRule(rule));
    return list;
  }
  Json operator()(const AcceptedDriftSlot& slot) const {
    Json list = Json::array();
    for (const AcceptedDriftRule& rule : *slot.rules) list.push_back(GetRule(rule));
    return list;
  }
  Json operator()(const ProtectedGrantsSlot& slot) const {
    Json list = Json::array();
    for (const ProtectedGrants& rule : *slot.rules) {
      Json json = Json::object();
      if (!rule.principal.empty()) json["principal"] = rule.principal;
      PutCondition(rule.condition, json);
      list.push_back(std::move(json));
    }
    return list;
  }
  Json operator()(const TimeSlot& slot) const {
    return *slot.time ? Json(FormatRfc3339(**slot.time)) : Json();
  }

 private:
  /// Only the settings of the rule.
  static Json GetRule(const TargetRule& given) {
    TargetRule rule = given;  // Its slots could be written to.
    const std::map<std::string_view, bool> is_set = {
        {"match", true},
        {"kind", !rule.kind.empty()},
        {"undeclaredRoles", rule.undeclared_roles.has_value()},
        {"selfLockout", rule.self_lockout.has_value()},
        {"lastOwner", rule.last_owner.has_value()}};
    Json json = Json::object();
    for (const Key<TargetRule>& key : TargetRuleKeys()) {
      // The keys of conditions are put below.
      const auto set = is_set.find(key.path);
      if (set != is_set.end() && set->second)
        json[std::string(key.path)] = GetValue(key.slot(rule));
    }
    PutCondition(rule.condition, json);
    return json;
  }

  static Json GetRule(const AcceptedDriftRule& rule) {
    Json match = Json::object();
    const auto put = [&match](const char* name, const std::string& pattern) {
      if (!pattern.empty()) match[name] = pattern;
    };
    put("target", rule.target);
    put("role", rule.role);
    put("member", rule.member);
    if (rule.drift_class) match["class"] = ToString(*rule.drift_class);
    PutCondition(rule.condition, match);
    Json json = {{"match", std::move(match)},
                 {"reason", rule.acceptance.reason},
                 {"owner", rule.acceptance.owner}};
    if (rule.acceptance.until) json["until"] = FormatRfc3339(*rule.acceptance.until);
    return json;
  }

  /// Only the restrictions of the rule.
  static Json GetRule(const SeverityRule& given) {
    SeverityRule rule = given;  // Its slots could be written to.
    Json json = Json::object();
    for (const Key<SeverityRule>& key : SeverityRuleKeys()) {
      if (key.path == "class" && !rule.drift_class) continue;
      Json value = GetValue(key.slot(rule));
      const auto* text = value.get_ptr<const std::string*>();
      const bool restricts = text != nullptr ? !text->empty() : value == true;
      if (restricts) json[std::string(key.path)] = std::move(value);
    }
    return json;
  }
};

/// Puts a value where its key says: "a.b" into {"a": {"b": value}}.
void Put(Json& into, std::string_view path, Json value) {
  Json* at = &into;
  while (true) {
    const std::size_t dot = path.find('.');
    Json& member = (*at)[std::string(path.substr(0, dot))];
    if (dot == std::string_view::npos) {
      member = std::move(value);
      return;
    }
    at = &member;
    path.remove_prefix(dot + 1);
  }
}

Json FindSource(const Config& config, const std::string& path) {
  const auto found = config.sources.find(path);
  if (found == config.sources.end()) return {{"from", "default"}};
  const ConfigSource& source = found->second;
  Json json = {{"from", source.line > 0 ? "file" : "environment"}};
  if (source.line > 0) {
    json["line"] = source.line;
    json["column"] = source.column;
  }
  if (!source.variable.empty()) json["variable"] = source.variable;
  return json;
}

/// Adds the values of a structure's keys, with the source of each value.
class Reporter {
 public:
  explicit Reporter(const Config& config) : config_(config) {}

  /// `owner` is a copy: its slots could be written to. `prefix` is "providers.NAME." of a provider.
  template <typename Owner>
  void Add(Json& section, Owner owner, std::span<const Key<Owner>> keys,
           const std::string& prefix) {
    for (const Key<Owner>& key : keys) {
      if constexpr (std::is_same_v<Owner, providers::ProviderConfig>) {
        if (!key.only_for.empty() && key.only_for != owner.type) continue;
      }
      const Slot slot = key.slot(owner);
      // Webhooks have separate keys.
      if (std::holds_alternative<WebhooksSlot>(slot)) continue;
      if (const auto* urls = std::get_if<ServiceUrlsSlot>(&slot)) {
        AddUrls(section, key.path, *urls->urls, prefix);
        continue;
      }
      Json value = GetValue(slot);
      const auto* text = value.get_ptr<const Json::string_t*>();
      if (key.secret && text != nullptr && !text->empty()) value = kMask;
      Put(section, key.path, std::move(value));
      const std::string path = prefix + std::string(key.path);
      sources_[path] = FindSource(config_, path);
    }
  }

  /// `path` ends with ".*".
  void AddUrls(Json& section, std::string_view path, const std::map<std::string, std::string>& urls,
               const std::string& prefix) {
    const std::string above(path.substr(0, path.size() - 1));
    for (const auto& [service, url] : urls) {
      if (url.empty()) continue;
      Put(section, above + service, url);
      sources_[prefix + above + service] = FindSource(config_, prefix + above + service);
    }
  }

  [[nodiscard]] Json TakeSources() { return std::move(sources_); }

 private:
  const Config& config_;
  Json sources_ = Json::object();
};

}  // namespace

Json GetValue(const Slot& slot) { return std::visit(Spell{}, slot); }

Json ConfigReport(const Config& config) {
  Json effective = Json::object();
  Reporter reporter(config);
  reporter.Add(effective, config, ConfigKeys(), "");
  Json& providers = effective["providers"] = Json::object();
  for (const auto& [name, provider] : config.providers) {
    reporter.Add(providers[name], provider, ProviderKeys(provider.type), "providers." + name + ".");
  }
  Json& webhooks = effective["notifications"]["webhooks"] = Json::object();
  for (const auto& [name, webhook] : config.notifications.webhooks) {
    reporter.Add(webhooks[name], webhook, WebhookKeys(), "notifications.webhooks." + name + ".");
  }
  Json report = {{"file", config.file.string()}};
  report["config"] = std::move(effective);
  report["sources"] = reporter.TakeSources();
  return report;
}

}  // namespace bindery::config
