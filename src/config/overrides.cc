#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "config/config_keys.h"
#include "config/reading.h"
#include "core/text/nearest.h"
#include "providers/registry/providers.h"

namespace bindery::config {
namespace {

using yaml::Node;
using yaml::NodeKind;

constexpr std::string_view kPrefix = "BINDERY_";
constexpr std::string_view kReference = "${env:";

/// Names the configuration file, and is no part of it.
constexpr std::string_view kConfigFile = "BINDERY_CONFIG";

std::string Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kBlank) - begin + 1));
}

bool IsList(const Slot& slot) {
  return std::holds_alternative<ChoiceListSlot>(slot) ||
         std::holds_alternative<DurationListSlot>(slot) ||
         std::holds_alternative<TextListSlot>(slot);
}

/// The text that the file would have: the variable, so that no message holds its value, or a list
/// of the comma-separated parts.
Node MakeNode(const std::string& variable, std::string_view value, const Slot& slot) {
  Node node;
  if (!IsList(slot)) {
    node.kind = NodeKind::kString;
    node.text = std::string(kReference) + variable + "}";
    return node;
  }
  node.kind = NodeKind::kList;
  while (true) {
    const std::size_t comma = value.find(',');
    Node item;
    item.kind = NodeKind::kString;
    item.text = Trimmed(value.substr(0, comma));
    node.items.push_back(std::move(item));
    if (comma == std::string_view::npos) return node;
    value.remove_prefix(comma + 1);
  }
}

/// Takes the variables of the keys, in sequence, and remembers the known variables.
class Overrides {
 public:
  Overrides(Reading& reading, const Environment& environment)
      : reading_(reading), environment_(environment) {}

  template <typename Owner>
  void Take(Owner& owner, const Key<Owner>& key, const std::string& path) {
    const Slot slot = key.slot(owner);
    const auto* urls = std::get_if<ServiceUrlsSlot>(&slot);
    if (urls == nullptr) return Take(path, slot, key.bounds);
    for (const std::string_view service : urls->services) {
      const std::string one = path.substr(0, path.size() - 1) + std::string(service);
      Take(one, ServiceUrlSlot{&(*urls->urls)[std::string(service)]}, key.bounds);
    }
  }

  /// Reports a misspelled variable, like a misspelled key in the file.
  void RefuseUnknown() {
    for (const auto& [name, value] : environment_) {
      if (!name.starts_with(kPrefix) || name == kConfigFile || IsServiceLink(name, value)) continue;
      if (value.empty() || std::ranges::find(known_, name) != known_.end()) continue;
      if (const auto nearest = NearestSpelling(name, known_)) {
        AddUnknown(name, "unknown variable: did you mean \"" + *nearest + "\"?");
      } else if (NamesSection(name)) {
        AddUnknown(name, "unknown variable: no setting has that name, see bindery config show");
      }
    }
  }

 private:
  void Take(const std::string& path, const Slot& slot, const Bounds& bounds) {
    const std::string variable = GetVariable(path);
    known_.push_back(variable);
    const auto found = environment_.find(variable);
    if (found == environment_.end() || found->second.empty()) return;
    if (!taken_.insert(variable).second) {
      return AddUnknown(variable, "stands for more than one provider: rename one of them");
    }
    reading_.overridden[path] = variable;
    reading_.config.sources[path] = {0, 0, variable};
    reading_.given.try_emplace(path);
    auto read = ReadValue(MakeNode(variable, found->second, slot), slot, bounds, environment_);
    if (!read) reading_.Add({}, path, read.error().message);
  }

  void AddUnknown(const std::string& variable, std::string message) {
    reading_.problems.push_back({"", 0, 0, "", std::move(message), variable});
  }

  /// What Kubernetes gives a container for each service called bindery-something.
  [[nodiscard]] static bool IsServiceLink(std::string_view name, std::string_view value) {
    constexpr std::string_view kPort = "_PORT_";
    if (name.ends_with("_SERVICE_HOST")) return true;
    if (name.ends_with("_PORT") && value.find("://") != std::string_view::npos) return true;
    if (name.find("_SERVICE_PORT") != std::string_view::npos) return true;
    const std::size_t port = name.find(kPort);
    return port != std::string_view::npos && port + kPort.size() < name.size() &&
           std::isdigit(static_cast<unsigned char>(name[port + kPort.size()])) != 0;
  }

  [[nodiscard]] static bool NamesSection(std::string_view name) {
    if (name.starts_with("BINDERY_PROVIDERS_")) return true;
    return std::ranges::any_of(ConfigKeys(), [name](const Key<Config>& key) {
      return name.starts_with(GetVariable(key.path.substr(0, key.path.find('.'))) + "_");
    });
  }

  Reading& reading_;
  const Environment& environment_;
  std::vector<std::string> known_;
  std::set<std::string> taken_;
};

}  // namespace

std::string VariablesIn(const Node& node) {
  std::string names;
  const auto add = [&names](std::string_view name) {
    if (!names.empty()) names += ", ";
    names += name;
  };
  for (std::size_t at = node.text.find(kReference); at != std::string::npos;
       at = node.text.find(kReference, at + 1)) {
    const std::size_t end = node.text.find('}', at);
    const bool literal = at > 0 && node.text[at - 1] == '$';
    if (end == std::string::npos || literal) continue;
    add(std::string_view(node.text).substr(at + kReference.size(), end - at - kReference.size()));
  }
  for (const Node& item : node.items) {
    // A list of the configuration holds no lists.
    Node alone;
    alone.text = item.text;
    if (const std::string inside = VariablesIn(alone); !inside.empty()) add(inside);
  }
  return names;
}

std::string ProviderTypeIn(const Node& map, const std::string& name,
                           const Environment& environment) {
  const Key<providers::ProviderConfig>& key = ProviderTypeKey();
  const auto given =
      environment.find(GetVariable("providers." + name + "." + std::string(key.path)));
  const std::span<const std::string_view> types = providers::ProviderTypes();
  if (given != environment.end() && std::ranges::find(types, given->second) != types.end()) {
    return given->second;
  }
  providers::ProviderConfig provider;
  for (const Node::Entry& entry : map.fields) {
    if (entry.key != key.path) continue;
    if (!ReadValue(entry.value, key.slot(provider), key.bounds, environment)) return "";
  }
  return provider.type;
}

void ReadOverrides(Reading& reading, const Environment& environment) {
  Overrides overrides(reading, environment);
  for (const Key<Config>& key : ConfigKeys()) {
    overrides.Take(reading.config, key, std::string(key.path));
  }
  for (auto& [name, provider] : reading.config.providers) {
    const std::string prefix = "providers." + name + ".";
    overrides.Take(provider, ProviderTypeKey(), prefix + std::string(ProviderTypeKey().path));
    for (const Key<providers::ProviderConfig>& key : ProviderKeys(provider.type)) {
      if (key.path == ProviderTypeKey().path) continue;  // It decides what the others are.
      overrides.Take(provider, key, prefix + std::string(key.path));
    }
  }
  for (auto& [name, webhook] : reading.config.notifications.webhooks) {
    for (const Key<WebhookConfig>& key : WebhookKeys()) {
      overrides.Take(webhook, key, "notifications.webhooks." + name + "." + std::string(key.path));
    }
  }
  overrides.RefuseUnknown();
}

std::string GetVariable(std::string_view key) {
  std::string name(kPrefix);
  char before = '.';
  for (const char c : key) {
    const auto letter = static_cast<unsigned char>(c);
    const bool word =
        std::isupper(letter) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if (word) name += '_';
    name += std::isalnum(letter) != 0 ? static_cast<char>(std::toupper(letter)) : '_';
    before = c;
  }
  return name;
}

}  // namespace bindery::config
