#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/settings/accepted_drift.h"
#include "core/settings/address.h"
#include "core/settings/protected_principals.h"
#include "core/settings/severity_rules.h"
#include "core/settings/store_location.h"
#include "core/settings/target_rules.h"

namespace bindery::config {
struct WebhookConfig;
}

namespace bindery {

/// A setting with a few named values.
struct ChoiceSlot {
  std::span<const std::string_view> names;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

/// A setting with any of a few named values, each at most once.
struct ChoiceListSlot {
  std::span<const std::string_view> names;
  std::function<std::vector<std::size_t>()> get;
  std::function<void(const std::vector<std::size_t>&)> set;
};

/// A few durations, each at most once.
struct DurationListSlot {
  std::vector<std::chrono::milliseconds>* values = nullptr;
  std::size_t most = 0;  ///< Maximum number of values.
};

struct ServiceUrlSlot {
  std::string* url;
};
/// URLs by service, of a key that ends with ".*": each entry is a separate setting.
struct ServiceUrlsSlot {
  std::map<std::string, std::string>* urls;
  std::span<const std::string_view> services;
};
/// Parsed by StoreLocation::Parse().
struct StoreUrlSlot {
  StoreLocation* location;
};
/// A list of rules, each a map with the keys of SeverityRuleKeys.
struct SeverityRulesSlot {
  SeverityRules* rules;
};

/// A list of rules, each a map with the keys of TargetRuleKeys.
struct TargetRulesSlot {
  TargetRules* rules;
};

/// A list of rules, each a map with the keys of ProtectedGrantsKeys.
struct ProtectedGrantsSlot {
  std::vector<ProtectedGrants>* rules;
};

/// A list of rules, each a map with the keys of AcceptedDriftKeys.
struct AcceptedDriftSlot {
  AcceptedDriftRules* rules;
};
/// A day, from 00:00 UTC, or an RFC 3339 time.
struct TimeSlot {
  std::optional<WallTime>* time;
};

struct TextListSlot {
  std::vector<std::string>* texts;
};
/// Whole numbers by name, within the bounds of the key.
struct CountMapSlot {
  std::map<std::string, int>* counts;
};
struct TextMapSlot {
  std::map<std::string, std::string>* texts;
};
/// Maps with the keys of WebhookKeys, by name.
struct WebhooksSlot {
  std::map<std::string, config::WebhookConfig>* webhooks;
};

/// The place of a setting in its structure; the alternative is the type.
using Slot =
    std::variant<std::string*, std::filesystem::path*, bool*, int*, double*,
                 std::chrono::milliseconds*, ListenAddress*, ServiceUrlSlot, ServiceUrlsSlot,
                 StoreUrlSlot, ChoiceSlot, ChoiceListSlot, DurationListSlot, SeverityRulesSlot,
                 AcceptedDriftSlot, TimeSlot, TargetRulesSlot, ProtectedGrantsSlot, TextListSlot,
                 CountMapSlot, TextMapSlot, WebhooksSlot>;

/// Inclusive bounds of a number; of a duration in milliseconds.
struct Bounds {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

/// One key of the configuration file, as data: for the reader, and for everything that describes or
/// shows a configuration. The default is the value of the slot in a default-constructed Owner.
template <typename Owner>
struct Key {
  /// "reconcile.interval"; below "providers.NAME." for a provider's. "endpoints.*" is for all keys
  /// of the section that the table does not name.
  std::string_view path;
  Slot (*slot)(Owner&);
  std::string_view description;
  Bounds bounds = {};
  bool secret = false;
  std::string_view only_for = {};  ///< The provider type that knows it; empty: all.
};

/// Requires: the names are in the order of the enumerators.
template <typename Enum>
Slot Choice(Enum& value, std::span<const std::string_view> names) {
  return ChoiceSlot{names, [&value] { return static_cast<std::size_t>(value); },
                    [&value](std::size_t index) { value = static_cast<Enum>(index); }};
}

template <typename Enum>
Slot ChoiceList(std::vector<Enum>& values, std::span<const std::string_view> names) {
  return ChoiceListSlot{names,
                        [&values] {
                          std::vector<std::size_t> indexes;
                          for (const Enum value : values) {
                            indexes.push_back(static_cast<std::size_t>(value));
                          }
                          return indexes;
                        },
                        [&values](const std::vector<std::size_t>& indexes) {
                          values.clear();
                          for (const std::size_t index : indexes) {
                            values.push_back(static_cast<Enum>(index));
                          }
                        }};
}

}  // namespace bindery
