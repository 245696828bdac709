// The keys of one provider: common keys, and keys of each type.

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "config/config_keys.h"
#include "providers/registry/providers.h"

namespace bindery::config {
namespace {

using P = providers::ProviderConfig;

Slot TypeSlot(P& provider) {
  const std::span<const std::string_view> types = providers::ProviderTypes();
  return ChoiceSlot{types,
                    [&provider, types] {
                      const auto found = std::find(types.begin(), types.end(), provider.type);
                      return found == types.end() ? std::size_t{0}
                                                  : static_cast<std::size_t>(found - types.begin());
                    },
                    [&provider, types](std::size_t index) { provider.type = types[index]; }};
}

constexpr std::array kCommonKeys = {
    Key<P>{"type", TypeSlot, "Which package of kinds the provider serves."},
    Key<P>{"embedded", [](P& p) -> Slot { return &p.embedded; },
           "Served by the cloud inside this program; the default unless endpoints or credentials "
           "are given."},
    Key<P>{"quota.requestsPerSecond",
           [](P& p) -> Slot { return &p.quota.requests_per_second; },
           "The maximum number of requests per second; 0 for no limit.",
           {0, 100'000}},
    Key<P>{"quota.burst",
           [](P& p) -> Slot { return &p.quota.burst; },
           "The maximum number of requests in a burst; 0 for one second's worth.",
           {0, 100'000}},
    Key<P>{"quota.headroom",
           [](P& p) -> Slot { return &p.quota.headroom; },
           "The part of the limit a service announces that is left to others who share it.",
           {0, 0.95}},
};

std::vector<Key<P>> MakeKeys(std::string_view type) {
  std::map<std::string_view, std::string_view> owners;  // By name: the type that means it.
  const auto claim = [&owners](const providers::Provider& provider) {
    for (const Key<P>& key : provider.SettingKeys()) {
      owners.try_emplace(TopName(key.path), provider.type());
    }
  };
  for (const providers::Provider* provider : providers::Providers()) {
    if (provider->type() == type) claim(*provider);
  }
  for (const providers::Provider* provider : providers::Providers()) claim(*provider);

  std::vector<Key<P>> keys(kCommonKeys.begin(), kCommonKeys.end());
  for (const providers::Provider* provider : providers::Providers()) {
    for (const Key<P>& key : provider->SettingKeys()) {
      if (owners.at(TopName(key.path)) != provider->type()) continue;
      keys.push_back(key);
      keys.back().only_for = provider->type();
    }
  }
  return keys;
}

std::map<std::string_view, std::vector<Key<P>>> MakeTables() {
  std::map<std::string_view, std::vector<Key<P>>> tables;
  tables[""] = MakeKeys("");
  for (const std::string_view type : providers::ProviderTypes()) tables[type] = MakeKeys(type);
  return tables;
}

}  // namespace

const Key<providers::ProviderConfig>& ProviderTypeKey() { return kCommonKeys.front(); }

std::string_view TopName(std::string_view path) { return path.substr(0, path.find('.')); }

std::span<const Key<providers::ProviderConfig>> ProviderKeys(std::string_view type) {
  static const std::map<std::string_view, std::vector<Key<P>>> kTables = MakeTables();
  const auto found = kTables.find(type);
  return found == kTables.end() ? kTables.at("") : found->second;
}

}  // namespace bindery::config
