#include "app/clouds/provider_access.h"

#include <utility>
#include <vector>

#include "core/text/nearest.h"
#include "providers/inventory_source.h"

namespace bindery::app {
namespace {

Expected<const providers::ProviderConfig*> FindProvider(const config::Config& config,
                                                        const reconcilers::Kind& kind,
                                                        const std::string& name) {
  const std::string& needed = kind.traits().provider_type;
  const auto found = config.providers.find(name);
  if (found == config.providers.end()) {
    std::vector<std::string> names;
    for (const auto& [known, provider] : config.providers) names.push_back(known);
    std::string message = "the configuration has no provider \"" + name + "\"";
    if (const auto nearest = NearestSpelling(name, names)) {
      message += ", did you mean \"" + *nearest + "\"?";
    }
    return Fail(Code::kInvalidArgument, message);
  }
  if (found->second.type == needed) return &found->second;
  return Fail(Code::kInvalidArgument, "provider \"" + name + "\" is of type " + found->second.type +
                                          "; " + kind.schema().token.kind + " needs one of type " +
                                          needed);
}

}  // namespace

Expected<std::string> ScannableProvider(const config::Config& config, const std::string& name,
                                        const InventoryTest& serves) {
  auto found = providers::ProviderWithIndex(ProviderTypes(config), name, serves);
  if (found) return *std::move(found);
  return Fail(Code::kInvalidArgument,
              name.empty()
                  ? "the configuration has no provider that can be scanned"
                  : "the configuration has no provider \"" + name + "\" that can be scanned");
}

Expected<OpenedProvider> OpenProvider(const config::Config& config, const reconcilers::Kind& kind,
                                      const std::string& name) {
  OpenedProvider opened;
  opened.name = name.empty() ? kind.traits().provider_type : name;
  opened.is_default = opened.name == kind.traits().provider_type;
  opened.timeout = config.transport.timeout;
  const Expected<const providers::ProviderConfig*> provider =
      FindProvider(config, kind, opened.name);
  if (!provider) return Fail(provider.error());
  Expected<Clouds> clouds = StartClouds(config, EmbeddedCloud::kPrivate);
  if (!clouds) return Fail(clouds.error());
  Expected<ConnectedProvider> connected = ConnectProvider(**provider, *clouds);
  if (!connected) return Fail(connected.error().Wrap("providers." + opened.name));
  opened.clouds = std::move(*clouds);
  opened.connection = std::move(connected->connection);
  return opened;
}

Expected<Sighting> LookAt(const OpenedProvider& provider, const reconcilers::Kind& kind,
                          const std::string& target, Secrets secrets) {
  const cloud::Connection& connection = *provider.connection;
  const Expected<cloud::PolicyCall> read = kind.BuildGet(connection, target, provider.timeout);
  if (!read) return Fail(read.error());
  const Expected<std::string> body =
      cloud::Send(*read, *connection.transport, *connection.authorizer);
  if (!body) return Fail(body.error());
  Expected<reconcilers::Observation> seen = kind.ParseResponse(*read, *body);
  if (!seen) return Fail(seen.error());
  Sighting sighting;
  sighting.seen = std::move(*seen);
  sighting.outputs = kind.Outputs(target, sighting.seen);
  if (secrets == Secrets::kHidden) return sighting;
  Expected<Json> revealed = kind.OutputsWithSecrets(*read, target, *body);
  if (!revealed) return Fail(revealed.error());
  sighting.outputs = std::move(*revealed);
  return sighting;
}

}  // namespace bindery::app
