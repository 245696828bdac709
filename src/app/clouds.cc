#include "app/clouds.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/version.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

Expected<std::shared_ptr<Authorizer>> AuthorizerOf(const ProviderConfig& provider) {
  if (provider.embedded) return NoCredentials();
  if (provider.type == ProviderType::kMonitoring) {
    return DatadogKeys(provider.api_key_file.string(), provider.app_key_file.string());
  }
  switch (provider.credentials.type) {
    case CredentialsType::kNone:
      return NoCredentials();
    case CredentialsType::kAccessToken:
      return StaticBearerToken(provider.credentials.token);
    case CredentialsType::kAccessTokenFile:
      return BearerTokenFile(provider.credentials.file.string());
  }
  return NoCredentials();
}

std::map<std::string, std::string> EndpointsOf(const ProviderConfig& provider,
                                               const std::string& embedded_url) {
  if (provider.type == ProviderType::kMonitoring) {
    return {{"datadog", provider.embedded ? embedded_url : provider.api_url}};
  }
  if (!provider.embedded) return provider.endpoints;
  return {{"networksecurity", embedded_url},
          {"backupdr", embedded_url},
          {"migrationcenter", embedded_url}};
}

/// Copies the embedded cloud's file to a folder of its own, so that looking changes nothing.
fs::path PrivateCopy(const fs::path& store) {
  std::string pattern = (fs::temp_directory_path() / "bindery-plan-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return {};
  const fs::path copy = fs::path(pattern) / "cloud.db";
  for (const char* suffix : {"", "-wal"}) {
    std::error_code ignored;
    fs::copy_file(store.string() + suffix, copy.string() + suffix, ignored);
  }
  return copy;
}

/// The seed file; none when nobody named one and there is none by the default name.
std::string SeedOf(const Config& config) {
  const fs::path& seed = config.embedded_cloud.seed;
  std::error_code ignored;
  const bool by_default = seed.filename() == EmbeddedCloudConfig{}.seed;
  return by_default && !fs::exists(seed, ignored) ? std::string() : seed.string();
}

Expected<std::unique_ptr<emulator::Emulator>> StartEmbedded(const Config& config,
                                                            EmbeddedCloud where) {
  emulator::Options options;
  options.seed = SeedOf(config);
  if (where == EmbeddedCloud::kServe) {
    options.listen = config.embedded_cloud.listen.Text();
    options.store = config.embedded_cloud.store.string();
    return emulator::Emulator::Start(options);
  }
  options.listen = "127.0.0.1:0";
  options.store = PrivateCopy(config.embedded_cloud.store).string();
  if (options.store.empty()) return Fail(Code::kInternal, "cannot make a temporary folder");
  return emulator::Emulator::Start(options);
}

}  // namespace

Expected<Engine::Connections> Connect(const Config& config, const Clouds& clouds) {
  Engine::Connections connections;
  const std::string embedded = clouds.embedded == nullptr ? "" : clouds.embedded->Url();
  for (const auto& [name, provider] : config.providers) {
    Expected<std::shared_ptr<Authorizer>> authorizer = AuthorizerOf(provider);
    if (!authorizer) return Fail(authorizer.error().Wrap("providers." + name));
    if (provider.embedded && clouds.embedded == nullptr) {
      return Fail(
          Code::kFailedPrecondition,
          "providers." + name + " is embedded, but the embedded cloud does not run: restart");
    }
    auto connection = std::make_shared<Connection>();
    connection->provider = name;
    connection->project = provider.project;
    connection->endpoints = EndpointsOf(provider, embedded);
    connection->transport = clouds.transport;
    connection->authorizer = *authorizer;
    connections[name] = std::move(connection);
  }
  return connections;
}

Expected<Clouds> OpenClouds(const Config& config, EmbeddedCloud embedded, Metrics* metrics) {
  Clouds clouds;
  if (config.UsesEmbeddedCloud()) {
    Expected<std::unique_ptr<emulator::Emulator>> started = StartEmbedded(config, embedded);
    if (!started) return Fail(started.error().Wrap("embedded cloud"));
    clouds.embedded = std::move(*started);
  }
  CurlTransportOptions options;
  options.user_agent = UserAgent();
  if (metrics != nullptr) {
    options.observer = [metrics](const HttpExchange& exchange) {
      metrics->ApiRequest(exchange.service, exchange.operation, exchange.status, exchange.duration);
    };
  }
  clouds.transport = std::make_shared<CurlTransport>(std::move(options));
  Expected<Engine::Connections> connections = Connect(config, clouds);
  if (!connections) return Fail(connections.error());
  clouds.connections = std::move(*connections);
  return clouds;
}

EngineSettings EngineSettingsOf(const Config& config) {
  EngineSettings settings;
  settings.catalog.mode = config.reconcile.mode;
  settings.catalog.keep_undeclared = config.reconcile.undeclared_roles == UndeclaredRoles::kKeep;
  settings.catalog.interval = config.reconcile.interval;
  settings.guard.max_removed_grants = config.guard.max_removed_grants;
  settings.guard.max_removed_fraction = config.guard.max_removed_fraction;
  settings.jitter = config.reconcile.jitter;
  settings.concurrency = static_cast<std::size_t>(config.reconcile.concurrency);
  for (const auto& [name, provider] : config.providers) {
    settings.catalog.projects[name] = provider.project;
    settings.catalog.provider_types[name] =
        provider.type == ProviderType::kCloudnative ? "cloudnative" : "monitoring";
    const double rate = provider.quota.requests_per_second;
    const double burst = provider.quota.burst > 0 ? provider.quota.burst : std::max(rate, 1.0);
    settings.quotas[name] = {rate, burst};
  }
  return settings;
}

}  // namespace bindery
