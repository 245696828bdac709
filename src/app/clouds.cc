#include "app/clouds.h"

#include <algorithm>
#include <cstdlib>
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

/// The seed file; none when nobody named one and there is none by the default name.
std::string SeedOf(const Config& config) {
  const fs::path& seed = config.embedded_cloud.seed;
  std::error_code ignored;
  const bool by_default = seed.filename() == EmbeddedCloudConfig{}.seed;
  return by_default && !fs::exists(seed, ignored) ? std::string() : seed.string();
}

/// Starts the embedded cloud where the configuration says, or on a copy of its file in a folder of
/// its own, so that looking changes nothing.
Expected<void> StartEmbedded(const Config& config, EmbeddedCloud where, Clouds& clouds) {
  emulator::Options options;
  options.seed = SeedOf(config);
  options.listen = config.embedded_cloud.listen.Text();
  options.store = config.embedded_cloud.store.string();
  if (where == EmbeddedCloud::kPrivate) {
    clouds.folder = std::make_unique<TemporaryFolder>();
    if (clouds.folder->path().empty()) {
      return Fail(Code::kInternal, "cannot make a temporary folder");
    }
    const std::string copy = clouds.folder->path() / "cloud.db";
    for (const char* suffix : {"", "-wal"}) {
      std::error_code absent;
      fs::copy_file(options.store + suffix, copy + suffix, absent);
    }
    options.listen = "127.0.0.1:0";
    options.store = copy;
  }
  Expected<std::unique_ptr<emulator::Emulator>> started = emulator::Emulator::Start(options);
  if (!started) return Fail(started.error().Wrap("embedded cloud"));
  clouds.embedded = std::move(*started);
  return {};
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  std::string pattern = (fs::temp_directory_path(failed) / "bindery-XXXXXX").string();
  if (!failed && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

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
    if (auto started = StartEmbedded(config, embedded, clouds); !started) {
      return Fail(started.error());
    }
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
