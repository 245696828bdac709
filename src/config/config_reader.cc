#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "config/config.h"
#include "config/config_keys.h"
#include "config/reading.h"
#include "config/rule_checks.h"
#include "core/text/nearest.h"
#include "providers/registry/providers.h"
#include "yaml/reader.h"

namespace bindery::config {

void Reading::Add(yaml::Position at, std::string path, std::string message) {
  if (const auto variable = overridden.find(path); variable != overridden.end()) {
    problems.push_back({"", 0, 0, std::move(path), std::move(message), variable->second});
    return;
  }
  problems.push_back({file, at.line, at.column, std::move(path), std::move(message)});
}

bool Reading::Faulty(const std::string& path) const {
  return std::ranges::find(problems, path, &ConfigProblem::path) != problems.end();
}

yaml::Position Reading::Where(const std::string& path) const {
  for (std::string part = path; !part.empty();) {
    const auto found = given.find(part);
    if (found != given.end()) return found->second;
    const std::size_t dot = part.rfind('.');
    part.resize(dot == std::string::npos ? 0 : dot);
  }
  return {};
}

namespace {

using yaml::Node;
using yaml::NodeKind;

std::string Join(const std::string& prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : prefix + "." + std::string(key);
}

void ReadSeverityRules(Reading& reading, const Node& list, const std::string& shown,
                       SeverityRules& rules, const Environment& environment);
void ReadProtectedGrants(Reading& reading, const Node& list, const std::string& shown,
                         std::vector<ProtectedGrants>& rules, const Environment& environment);
void ReadTargetRules(Reading& reading, const Node& list, const std::string& shown,
                     TargetRules& rules, const Environment& environment);
void ReadAcceptedDrift(Reading& reading, const Node& list, const std::string& shown,
                       AcceptedDriftRules& rules, const Environment& environment);
void ReadWebhooks(Reading& reading, const Node& map, const Environment& environment);

/// Reads a map and the maps in it into one structure, by the structure's table of keys.
template <typename Owner>
class MapReader {
 public:
  MapReader(Reading& reading, Owner& owner, std::span<const Key<Owner>> keys,
            std::string shown_prefix, const Environment& environment)
      : reading_(reading),
        owner_(owner),
        keys_(keys),
        shown_prefix_(std::move(shown_prefix)),
        environment_(environment) {}

  /// `section` is the path within the table; `skipped` is read by somebody else.
  void Read(const Node& map, const std::string& section, std::string_view skipped = {}) {
    for (const Node::Entry& entry : map.fields) {
      if (!skipped.empty() && entry.key == skipped) continue;
      const std::string path = Join(section, entry.key);
      const std::string shown = Join(shown_prefix_, path);
      if (const Key<Owner>* key = FindKey(path)) {
        ReadKey(entry, *key, shown);
      } else if (IsSection(path)) {
        ReadSection(entry, path, shown);
      } else {
        reading_.Add(entry.key_at, shown, UnknownKey(section, entry.key, skipped));
      }
    }
  }

 private:
  [[nodiscard]] const Key<Owner>* FindKey(std::string_view path) const {
    auto found = std::ranges::find(keys_, path, &Key<Owner>::path);
    if (found == keys_.end() && path.find('.') != std::string_view::npos) {
      const std::string any = std::string(path.substr(0, path.rfind('.') + 1)) + "*";
      found = std::ranges::find(keys_, any, &Key<Owner>::path);
    }
    return found == keys_.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool IsSection(const std::string& path) const {
    const std::string inside = path + ".";
    return std::ranges::any_of(keys_, [&inside](const Key<Owner>& key) {
      return key.path.substr(0, inside.size()) == inside;
    });
  }

  void ReadKey(const Node::Entry& entry, const Key<Owner>& key, const std::string& shown) {
    if (entry.value.kind == NodeKind::kNull) return;  // "key:" with nothing behind it: the default.
    reading_.given[shown] = entry.value.at;
    reading_.config.sources[shown] = {entry.value.at.line, entry.value.at.column,
                                      VariablesIn(entry.value)};
    Slot slot = key.slot(owner_);
    if (const auto* urls = std::get_if<ServiceUrlsSlot>(&slot)) {
      if (std::ranges::find(urls->services, entry.key) == urls->services.end()) {
        return reading_.Add(entry.key_at, shown, UnknownService(entry.key, key.path, *urls));
      }
      slot = ServiceUrlSlot{&(*urls->urls)[entry.key]};
    }
    const auto* rules = std::get_if<SeverityRulesSlot>(&slot);
    if (rules != nullptr && entry.value.kind == NodeKind::kList) {
      return ReadSeverityRules(reading_, entry.value, shown, *rules->rules, environment_);
    }
    const auto* targets = std::get_if<TargetRulesSlot>(&slot);
    if (targets != nullptr && entry.value.kind == NodeKind::kList) {
      return ReadTargetRules(reading_, entry.value, shown, *targets->rules, environment_);
    }
    const auto* grants = std::get_if<ProtectedGrantsSlot>(&slot);
    if (grants != nullptr && entry.value.kind == NodeKind::kList) {
      return ReadProtectedGrants(reading_, entry.value, shown, *grants->rules, environment_);
    }
    const bool list = rules != nullptr || targets != nullptr || grants != nullptr;
    if (list && entry.value.kind == NodeKind::kMap) {
      return reading_.Add(entry.value.at, shown, "expected a list of rules, found a map");
    }
    const auto* accepted = std::get_if<AcceptedDriftSlot>(&slot);
    if (accepted != nullptr && entry.value.kind == NodeKind::kList) {
      return ReadAcceptedDrift(reading_, entry.value, shown, *accepted->rules, environment_);
    }
    if (std::holds_alternative<WebhooksSlot>(slot) && entry.value.kind == NodeKind::kMap) {
      return ReadWebhooks(reading_, entry.value, environment_);
    }
    auto read = ReadValue(entry.value, slot, key.bounds, environment_);
    if (!read) reading_.Add(entry.value.at, shown, read.error().message);
  }

  void ReadSection(const Node::Entry& entry, const std::string& path, const std::string& shown) {
    if (entry.value.kind == NodeKind::kNull) return;
    reading_.given[shown] = entry.key_at;
    if (entry.value.kind == NodeKind::kMap) return Read(entry.value, path);
    const Key<Owner>* source = FindKey(Join(path, kShortForm));
    const bool is_choice =
        source != nullptr && std::holds_alternative<ChoiceSlot>(source->slot(owner_));
    if (is_choice && entry.value.kind != NodeKind::kList) {
      return ReadKey(entry, *source, Join(shown, kShortForm));
    }
    reading_.Add(entry.value.at, shown, "expected a map, found " + WithArticle(entry.value.kind));
  }

  [[nodiscard]] std::string UnknownKey(const std::string& section, const std::string& word,
                                       std::string_view skipped) const {
    std::set<std::string> known;
    if (!skipped.empty()) known.emplace(skipped);
    const std::string inside = section.empty() ? "" : section + ".";
    for (const Key<Owner>& key : keys_) {
      if (key.path.substr(0, inside.size()) != inside) continue;
      const std::string_view rest = key.path.substr(inside.size());
      known.emplace(rest.substr(0, rest.find('.')));
    }
    const std::vector<std::string> candidates(known.begin(), known.end());
    if (const auto nearest = NearestSpelling(word, candidates)) {
      return "unknown key: did you mean \"" + *nearest + "\"?";
    }
    std::string list;
    for (const std::string& candidate : candidates) {
      list += (list.empty() ? "" : ", ") + candidate;
    }
    return "unknown key: expected one of " + list;
  }

  /// `any`: "endpoints.*"
  [[nodiscard]] std::string UnknownService(const std::string& word, std::string_view any,
                                           const ServiceUrlsSlot& urls) const {
    const std::string_view inside = any.substr(0, any.size() - 1);
    std::vector<std::string> known(urls.services.begin(), urls.services.end());
    for (const Key<Owner>& key : keys_) {
      if (key.path.starts_with(inside)) known.emplace_back(key.path.substr(inside.size()));
    }
    if (const auto nearest = NearestSpelling(word, known)) {
      return "unknown key: did you mean \"" + *nearest + "\"?";
    }
    return "unknown key: no kind is of a service \"" + word + "\", see bindery kinds";
  }

  Reading& reading_;
  Owner& owner_;
  std::span<const Key<Owner>> keys_;
  std::string shown_prefix_;
  const Environment& environment_;
};

/// A map of names to structures of one kind. `keys` gives the table of keys for an entry.
template <typename Named, typename Keys>
std::map<std::string, Named> ReadNamed(Reading& reading, const Node& map,
                                       const std::string& section, const Keys& keys,
                                       const Environment& environment) {
  std::map<std::string, Named> named;
  for (const Node::Entry& entry : map.fields) {
    const std::string shown = Join(section, entry.key);
    reading.given[shown] = entry.key_at;
    if (entry.value.kind != NodeKind::kMap) {
      reading.Add(entry.value.at, shown, "expected a map, found " + WithArticle(entry.value.kind));
      continue;
    }
    Named& owner = named[entry.key];
    owner.name = entry.key;
    MapReader<Named>(reading, owner, keys(entry), shown, environment).Read(entry.value, "");
  }
  return named;
}

void ReadProviders(Reading& reading, const Node& providers, const Environment& environment) {
  if (providers.kind != NodeKind::kMap) {
    return reading.Add(providers.at, "providers",
                       "expected a map, found " + WithArticle(providers.kind));
  }
  const auto keys = [&environment](const Node::Entry& entry) {
    return ProviderKeys(ProviderTypeIn(entry.value, entry.key, environment));
  };
  reading.config.providers =
      ReadNamed<providers::ProviderConfig>(reading, providers, "providers", keys, environment);
}

void ReadWebhooks(Reading& reading, const Node& map, const Environment& environment) {
  reading.config.notifications.webhooks = ReadNamed<WebhookConfig>(
      reading, map, "notifications.webhooks", [](const auto&) { return WebhookKeys(); },
      environment);
}

std::span<const Key<SeverityRule>> ListKeys(const SeverityRules& /*rules*/) {
  return SeverityRuleKeys();
}
std::span<const Key<ProtectedGrants>> ListKeys(const std::vector<ProtectedGrants>& /*rules*/) {
  return ProtectedGrantsKeys();
}
std::span<const Key<TargetRule>> ListKeys(const TargetRules& /*rules*/) { return TargetRuleKeys(); }
std::span<const Key<AcceptedDriftRule>> ListKeys(const AcceptedDriftRules& /*rules*/) {
  return AcceptedDriftKeys();
}

/// Calls `read(item, place)` with each item of a list of maps.
template <typename Read>
void ForEachMap(Reading& reading, const Node& list, const std::string& shown, const Read& read) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node& item = list.items[i];
    const std::string place = shown + "[" + std::to_string(i) + "]";
    reading.given[place] = item.at;
    if (item.kind == NodeKind::kMap) {
      read(item, place);
    } else {
      reading.Add(item.at, place, "expected a map, found " + WithArticle(item.kind));
    }
  }
}

template <typename Rule>
void ReadRules(Reading& reading, const Node& list, const std::string& shown,
               std::vector<Rule>& rules, const Environment& environment) {
  ForEachMap(reading, list, shown, [&](const Node& item, const std::string& place) {
    Rule rule;
    MapReader<Rule>(reading, rule, ListKeys(rules), place, environment).Read(item, "");
    CheckRule(reading, rule, place, item.at);
    rules.push_back(std::move(rule));
  });
}

/// Rows are checked together, once all files are read.
void ReadRows(Reading& reading, const Node& list, const std::string& shown,
              providers::KindRows& rows) {
  const providers::DeclaredKinds& kinds = providers::KindsOfFiles();
  const Environment environment = ProcessEnvironment();
  ForEachMap(reading, list, shown, [&](const Node& item, const std::string& place) {
    const std::shared_ptr<providers::KindRow> row = kinds.MakeRow();
    MapReader<providers::KindRow>(reading, *row, kinds.Keys(), place, environment).Read(item, "");
    rows.push_back(row);
  });
}

void ReadSeverityRules(Reading& reading, const Node& list, const std::string& shown,
                       SeverityRules& rules, const Environment& environment) {
  ReadRules(reading, list, shown, rules, environment);
}

void ReadTargetRules(Reading& reading, const Node& list, const std::string& shown,
                     TargetRules& rules, const Environment& environment) {
  ReadRules(reading, list, shown, rules, environment);
}

void ReadProtectedGrants(Reading& reading, const Node& list, const std::string& shown,
                         std::vector<ProtectedGrants>& rules, const Environment& environment) {
  ReadRules(reading, list, shown, rules, environment);
}

void ReadAcceptedDrift(Reading& reading, const Node& list, const std::string& shown,
                       AcceptedDriftRules& rules, const Environment& environment) {
  ReadRules(reading, list, shown, rules, environment);
}

void ReadRoot(Reading& reading, const Node& root, const Environment& environment,
              const std::function<void(Reading&)>& before_providers) {
  constexpr std::string_view kProviders = "providers";
  if (root.kind == NodeKind::kNull) return;
  if (root.kind != NodeKind::kMap) {
    return reading.Add(root.at, "", "expected a map, found " + WithArticle(root.kind));
  }
  MapReader<Config>(reading, reading.config, ConfigKeys(), "", environment)
      .Read(root, "", kProviders);
  if (before_providers) before_providers(reading);
  for (const Node::Entry& entry : root.fields) {
    if (entry.key != kProviders || entry.value.kind == NodeKind::kNull) continue;
    reading.given["providers"] = entry.key_at;
    ReadProviders(reading, entry.value, environment);
  }
}

}  // namespace

void ReadKindRows(Reading& reading, const Node& root, providers::KindRows& rows) {
  constexpr const char* kKinds = "kinds";
  if (root.kind != NodeKind::kMap) {
    return reading.Add(root.at, "",
                       "expected a map with the list kinds, found " + WithArticle(root.kind));
  }
  for (const Node::Entry& entry : root.fields) {
    if (entry.key != kKinds) {
      reading.Add(entry.key_at, entry.key, "unknown key: expected kinds");
    } else if (entry.value.kind != NodeKind::kList) {
      reading.Add(entry.value.at, kKinds,
                  "expected a list, found " + WithArticle(entry.value.kind));
    } else {
      ReadRows(reading, entry.value, kKinds, rows);
    }
  }
}

Reading ReadConfig(std::string_view text, const std::string& file_name,
                   const std::filesystem::path& base_dir, const Environment& environment,
                   const std::function<void(Reading&)>& before_providers) {
  Reading reading;
  reading.file = file_name;
  const yaml::ReadResult read = yaml::ReadYaml(text);
  for (const yaml::Fault& fault : read.faults) reading.Add(fault.at, "", fault.message);
  if (read.documents.size() > 1) {
    reading.Add(read.documents[1].at, "", "a configuration is one document: this begins a second");
  }
  if (!read.documents.empty() && read.faults.empty()) {
    ReadRoot(reading, read.documents.front().root, environment, before_providers);
  }
  if (!reading.Given("providers")) AddDefaultProviders(reading);
  // The names of the providers of an unreadable file are unknown.
  if (read.faults.empty()) ReadOverrides(reading, environment);
  CompleteAndCheck(reading, base_dir);
  return reading;
}

ConfigResult MakeResult(Reading reading, std::vector<ConfigProblem> elsewhere) {
  if (reading.problems.empty() && elsewhere.empty()) return std::move(reading.config);
  std::ranges::stable_sort(reading.problems, [](const ConfigProblem& a, const ConfigProblem& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::ranges::move(elsewhere, std::back_inserter(reading.problems));
  return tl::unexpected(std::move(reading.problems));
}

ConfigResult ParseConfig(std::string_view text, const std::string& file_name,
                         const std::filesystem::path& base_dir, const Environment& environment) {
  return MakeResult(ReadConfig(text, file_name, base_dir, environment));
}

}  // namespace bindery::config
