#include "app/clouds.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "app/provider_twins.h"
#include "app/version.h"
#include "cloud/ca_file.h"
#include "cloud/google_credentials.h"
#include "cloud/secret_file_warning.h"
#include "core/digest.h"
#include "sqlite/copy.h"
#include "tracing/traced_transport.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

/// Stands for the project that only the credentials know, where they are not read.
constexpr const char* kProjectOfCredentials = "project-of-the-credentials";

/// What signing in gives: how requests are authorized, and what the credentials say besides.
struct Credentials {
  std::shared_ptr<Authorizer> authorizer;
  SignIn sign_in;
  std::string project;
  std::string quota_project;
  std::string universe_domain;
};

Credentials Plain(std::shared_ptr<Authorizer> authorizer, std::string kind,
                  std::string source = "") {
  return {std::move(authorizer), {std::move(kind), std::move(source), "", {}}, "", "", ""};
}

void WarnOfReaders(const std::string& file, Credentials& credentials) {
  if (file.empty()) return;
  if (auto warning = AccessWarning(file)) {
    credentials.sign_in.warnings.push_back(std::move(*warning));
  }
}

/// Tokens from elsewhere, or none at all.
GoogleCredentials GivenTo(const CredentialsConfig& given) {
  GoogleCredentials credentials;
  if (given.type == CredentialsType::kAccessToken) {
    credentials.authorizer = StaticBearerToken(given.token);
    credentials.kind = "access token";
    credentials.source = "the configuration";
  } else if (given.type == CredentialsType::kAccessTokenFile) {
    credentials.source = given.file.string();
    credentials.authorizer = BearerTokenFile(credentials.source);
    credentials.kind = "access token file";
    if (auto warning = AccessWarning(credentials.source)) {
      credentials.warnings.push_back(std::move(*warning));
    }
  } else {
    credentials.authorizer = NoCredentials();
    credentials.kind = "none";
  }
  return credentials;
}

Expected<GoogleCredentials> FindGoogleCredentials(const CredentialsConfig& wanted,
                                                  const GoogleCredentialSettings& settings) {
  switch (wanted.type) {
    case CredentialsType::kFile:
      return GoogleCredentialsFromFile(wanted.file.string(), settings);
    case CredentialsType::kApplicationDefault:
      return ApplicationDefaultCredentials(settings);
    case CredentialsType::kNone:
    case CredentialsType::kAccessToken:
    case CredentialsType::kAccessTokenFile:
      break;
  }
  return WithProjects(GivenTo(wanted), settings);
}

Expected<Credentials> SignInToGoogle(const ProviderConfig& provider, const Clouds& clouds) {
  GoogleCredentialSettings settings;
  settings.transport = clouds.traced;
  settings.quota_project = provider.quota_project;
  settings.wait = [patience = clouds.patience](std::chrono::milliseconds time) {
    patience->Wait(time);
  };
  Expected<GoogleCredentials> found = FindGoogleCredentials(provider.credentials, settings);
  if (!found) return Fail(found.error());
  return Credentials{found->authorizer,
                     {found->kind, found->source, found->account, found->warnings},
                     found->project,
                     found->quota_project,
                     found->universe_domain};
}

Expected<Credentials> SignInToDatadog(const ProviderConfig& provider) {
  const DatadogCredentialFiles files{provider.api_key_file.string(), provider.app_key_file.string(),
                                     provider.bearer_token_file.string()};
  Expected<std::shared_ptr<Authorizer>> found = DatadogCredentials(files);
  if (!found) return Fail(found.error());
  Credentials credentials = Plain(*found, "keys or token", "the environment");
  if (!files.bearer_token.empty()) {
    credentials = Plain(*found, "access token", files.bearer_token);
  } else if (!files.api_key.empty() || !files.app_key.empty()) {
    credentials = Plain(*found, "API and application key",
                        files.api_key.empty() ? files.app_key : files.api_key);
  }
  for (const std::string& file : {files.api_key, files.app_key, files.bearer_token}) {
    WarnOfReaders(file, credentials);
  }
  return credentials;
}

Expected<Credentials> SignInTo(const ProviderConfig& provider, const Clouds& clouds) {
  if (provider.embedded) return Plain(NoCredentials(), "none needed: the embedded cloud");
  return provider.type == ProviderType::kMonitoring ? SignInToDatadog(provider)
                                                    : SignInToGoogle(provider, clouds);
}

std::map<std::string, std::string> EndpointsOf(const ProviderConfig& provider,
                                               const std::string& embedded_url,
                                               const std::string& universe_domain) {
  if (provider.type == ProviderType::kMonitoring) {
    return {{"datadog", provider.embedded ? embedded_url : provider.api_url}};
  }
  std::map<std::string, std::string> endpoints = provider.endpoints;
  for (const std::string service :
       {"networksecurity", "backupdr", "migrationcenter", "cloudresourcemanager"}) {
    endpoints.try_emplace(
        service, provider.embedded ? embedded_url : "https://" + service + "." + universe_domain);
  }
  return endpoints;
}

/// Without its credentials a provider's default project may be unknown, though there is one.
std::string OfflineProject(const ProviderConfig& provider) {
  const bool told_later = provider.credentials.type == CredentialsType::kApplicationDefault ||
                          provider.credentials.type == CredentialsType::kFile;
  if (!provider.project.empty() || provider.embedded) return provider.project;
  const std::string project = WithProjects({}, {}).project;
  return project.empty() && told_later ? kProjectOfCredentials : project;
}

/// The seed file; none when nobody named one and there is none by the default name.
std::string SeedOf(const Config& config) {
  const fs::path& seed = config.embedded_cloud.seed;
  std::error_code ignored;
  const bool by_default = seed.filename() == EmbeddedCloudConfig{}.seed;
  return by_default && !fs::exists(seed, ignored) ? std::string() : seed.string();
}

/// One state of it, also while a daemon writes to it. Where there is none yet it begins empty.
Expected<void> CopyState(const std::string& from, const std::string& to) {
  auto copied = sqlite::CopyFile(from, to);
  if (!copied && copied.error().code == Code::kNotFound) return {};
  return copied;
}

/// Starts the embedded cloud where the configuration says, or on a copy of its file in a folder of
/// its own, so that looking changes nothing.
Expected<void> StartEmbedded(const Config& config, EmbeddedCloud where, Clouds& clouds) {
  emulator::Options options;
  options.seed = SeedOf(config);
  options.listen = config.embedded_cloud.listen.Text();
  options.store = config.embedded_cloud.store.string();
  options.most_connections = static_cast<std::size_t>(config.embedded_cloud.max_connections);
  if (where == EmbeddedCloud::kPrivate) {
    clouds.folder = std::make_unique<TemporaryFolder>();
    if (clouds.folder->path().empty()) {
      return Fail(Code::kInternal, "cannot make a temporary folder");
    }
    const std::string copy = clouds.folder->path() / "cloud.db";
    if (auto copied = CopyState(options.store, copy); !copied) {
      return Fail(copied.error().Wrap("embedded cloud"));
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

Expected<ConnectedProvider> ConnectProvider(const ProviderConfig& provider, const Clouds& clouds) {
  if (provider.embedded && clouds.embedded == nullptr) {
    return Fail(Code::kFailedPrecondition,
                "the provider is embedded, but the embedded cloud does not run: restart");
  }
  Expected<Credentials> credentials = SignInTo(provider, clouds);
  if (!credentials) return Fail(credentials.error());
  const std::string& universe =
      provider.universe_domain.empty() ? credentials->universe_domain : provider.universe_domain;
  auto connection = std::make_shared<Connection>();
  connection->provider = provider.name;
  connection->project = provider.project.empty() ? credentials->project : provider.project;
  connection->quota_project = credentials->quota_project;
  connection->endpoints =
      EndpointsOf(provider, clouds.embedded == nullptr ? "" : clouds.embedded->Url(),
                  universe.empty() ? "googleapis.com" : universe);
  connection->rate_limits = std::make_shared<RateLimitLog>();
  auto dates = std::make_shared<ServiceDates>();
  connection->transport = NotingDates(NotingRateLimits(clouds.traced, connection->rate_limits),
                                      dates, std::make_shared<SystemClock>());
  connection->authorizer = std::move(credentials->authorizer);
  if (provider.type == ProviderType::kMonitoring) {
    connection->current_user =
        std::make_shared<CurrentUserCache>(connection->BaseUrl("datadog"), connection->transport,
                                           connection->authorizer, std::make_shared<SystemClock>());
  }
  return ConnectedProvider{std::move(connection), std::move(dates),
                           std::move(credentials->sign_in)};
}

void Patience::Wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return ended_; });
}

void Patience::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Expected<ConnectedProviders> ConnectAll(const Config& config, const Clouds& clouds) {
  ConnectedProviders providers;
  for (const auto& [name, provider] : config.providers) {
    Expected<ConnectedProvider> connected = ConnectProvider(provider, clouds);
    if (!connected) return Fail(connected.error().Wrap("providers." + name));
    providers.connections[name] = std::move(connected->connection);
    providers.dates[name] = std::move(connected->dates);
    providers.sign_ins[name] = std::move(connected->sign_in);
  }
  if (auto refused = RefuseTwins(providers.connections); !refused) return Fail(refused.error());
  return providers;
}

CurlTransportOptions TransportOptionsOf(const Config& config) {
  CurlTransportOptions options;
  options.user_agent = UserAgent();
  options.connect_timeout = config.transport.connect_timeout;
  options.ca_file = config.transport.ca_file.string();
  options.proxy = config.transport.proxy;
  options.no_proxy = config.transport.no_proxy;
  return options;
}

Expected<Clouds> StartClouds(const Config& config, EmbeddedCloud embedded,
                             const CallObservers& observers) {
  Clouds clouds;
  if (config.UsesEmbeddedCloud()) {
    if (auto started = StartEmbedded(config, embedded, clouds); !started) {
      return Fail(started.error());
    }
  }
  CurlTransportOptions options = TransportOptionsOf(config);
  if (auto checked = CheckCaFile(options.ca_file); !checked) {
    return Fail(checked.error().Wrap("transport.caFile"));
  }
  if (observers.metrics != nullptr) {
    options.observer = [metrics = observers.metrics](const HttpExchange& exchange) {
      metrics->ApiRequest(exchange.service, exchange.operation, exchange.status, exchange.duration);
    };
  }
  clouds.transport = std::make_shared<CurlTransport>(std::move(options));
  clouds.traced = Traced(clouds.transport, observers.spans);
  return clouds;
}

Expected<Clouds> OpenClouds(const Config& config, EmbeddedCloud embedded,
                            const CallObservers& observers) {
  Expected<Clouds> clouds = StartClouds(config, embedded, observers);
  if (!clouds) return clouds;
  Expected<ConnectedProviders> connected = ConnectAll(config, *clouds);
  if (!connected) return Fail(connected.error());
  clouds->providers = std::move(*connected);
  return clouds;
}

namespace {

std::optional<Severity> HoldSeverityOf(HoldSeverity severity) {
  switch (severity) {
    case HoldSeverity::kLow:
      return Severity::kLow;
    case HoldSeverity::kMedium:
      return Severity::kMedium;
    case HoldSeverity::kHigh:
      return Severity::kHigh;
    case HoldSeverity::kCritical:
      return Severity::kCritical;
    case HoldSeverity::kNone:
      break;
  }
  return std::nullopt;
}

}  // namespace

EngineSettings EngineSettingsOf(const Config& config, const Engine::Connections& connections) {
  EngineSettings settings;
  settings.catalog.mode = config.reconcile.mode;
  settings.catalog.keep_undeclared = config.reconcile.undeclared_roles == UndeclaredRoles::kKeep;
  settings.catalog.severities = std::make_shared<const SeverityRules>(config.drift.severity);
  settings.settle = config.manifests.settle;
  settings.guard.max_removed_grants = config.guard.max_removed_grants;
  settings.guard.max_removed_fraction = config.guard.max_removed_fraction;
  settings.guard.window = config.guard.window;
  settings.guard.hold_severity = HoldSeverityOf(config.guard.hold_severity);
  settings.recheck = {config.reconcile.interval, config.reconcile.shortest_interval,
                      config.reconcile.longest_interval, config.reconcile.requests_per_minute};
  settings.confirm_emptied = config.reconcile.confirm_emptied;
  settings.release_missing = config.reconcile.release_missing;
  settings.expiry_warnings = config.reconcile.warn_before_expiry;
  settings.jitter = config.reconcile.jitter;
  if (!config.tracing.endpoint.empty()) settings.trace_sample_ratio = config.tracing.sample_ratio;
  settings.call_timeout = config.transport.timeout;
  settings.concurrency = static_cast<std::size_t>(config.reconcile.concurrency);
  for (const auto& [name, provider] : config.providers) {
    const auto connection = connections.find(name);
    settings.catalog.projects[name] =
        connection == connections.end() ? OfflineProject(provider) : connection->second->project;
    settings.catalog.provider_types[name] =
        provider.type == ProviderType::kCloudnative ? "cloudnative" : "monitoring";
    const double rate = provider.quota.requests_per_second;
    const double burst = provider.quota.burst > 0 ? provider.quota.burst : std::max(rate, 1.0);
    settings.quotas[name] = {rate, burst, provider.quota.headroom};
  }
  std::string rules = kVersion;
  for (const auto& [name, type] : settings.catalog.provider_types) {
    rules += "\n" + name + "=" + type + ":" + settings.catalog.projects.at(name);
  }
  settings.catalog.rules = Sha256Hex(rules);
  return settings;
}

}  // namespace bindery
