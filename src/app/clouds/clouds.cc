#include "app/clouds/clouds.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "app/clouds/provider_twins.h"
#include "app/process/version.h"
#include "cloud/curl/ca_file.h"
#include "core/text/digest.h"
#include "providers/kind_table.h"
#include "providers/registry/providers.h"
#include "sqlite/copy.h"
#include "tracing/traced_transport.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

Expected<providers::Credentials> SignInTo(const providers::ProviderConfig& provider,
                                          const Clouds& clouds) {
  if (provider.embedded) {
    return providers::Credentials{cloud::NoCredentials(),
                                  {"none needed: the embedded cloud", "", "", {}}};
  }
  providers::SignInContext context;
  context.transport = clouds.traced;
  context.wait = [patience = clouds.patience](std::chrono::milliseconds time) {
    patience->Wait(time);
  };
  return providers::ProviderOfType(provider.type).SignIn(provider, context);
}

/// The endpoints of the services, and the limits of writes.
void AddServices(const providers::ProviderConfig& provider, const std::string& embedded_url,
                 const providers::Credentials& credentials, cloud::Connection& connection) {
  const providers::Provider& cloud = providers::ProviderOfType(provider.type);
  for (const std::string& service : cloud.Services()) {
    const providers::ServiceAddress address =
        provider.embedded ? providers::ServiceAddress{cloud.EmbeddedUrl(embedded_url, service)}
                          : cloud.MakeAddress(provider, credentials, service);
    connection.endpoints[service] = address.url;
    if (address.writes_a_second > 0) connection.write_rates[service] = address.writes_a_second;
  }
}

/// The seed file; none if no file is named and the default file does not exist.
std::string MakeSeed(const config::Config& config) {
  const fs::path& seed = config.embedded_cloud.seed;
  std::error_code ignored;
  const bool by_default = seed.filename() == config::EmbeddedCloudConfig{}.seed;
  return by_default && !fs::exists(seed, ignored) ? std::string() : seed.string();
}

/// One state of the cloud, also while a daemon writes. A missing cloud begins empty.
Expected<void> CopyState(const std::string& from, const std::string& to) {
  auto copied = sqlite::CopyFile(from, to);
  if (!copied && copied.error().code == Code::kNotFound) return {};
  return copied;
}

/// Starts the embedded cloud of the configuration, or on a copy of its file in a separate folder,
/// so that reading changes nothing.
Expected<void> StartEmbedded(const config::Config& config, EmbeddedCloud where, Clouds& clouds) {
  emulator::Options options;
  options.seed = MakeSeed(config);
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
  if (!started) return Fail(started.error().Wrap("embedded cloud (embeddedCloud.listen, .store)"));
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

Expected<ConnectedProvider> ConnectProvider(const providers::ProviderConfig& provider,
                                            const Clouds& clouds) {
  if (provider.embedded && clouds.embedded == nullptr) {
    return Fail(Code::kFailedPrecondition,
                "the provider is embedded, but the embedded cloud does not run: restart");
  }
  Expected<providers::Credentials> credentials = SignInTo(provider, clouds);
  if (!credentials) return Fail(credentials.error());
  auto connection = std::make_shared<cloud::Connection>();
  connection->provider = provider.name;
  connection->type = provider.type;
  connection->project = provider.project.empty() ? credentials->project : provider.project;
  connection->quota_project = credentials->quota_project;
  connection->principal = provider.principal.empty() ? credentials->principal : provider.principal;
  connection->just_in_time = provider.just_in_time;
  AddServices(provider, clouds.embedded == nullptr ? "" : clouds.embedded->Url(), *credentials,
              *connection);
  connection->rate_limits = std::make_shared<cloud::RateLimitLog>();
  auto dates = std::make_shared<cloud::ServiceDates>();
  connection->transport = cloud::NotingDates(
      cloud::NotingRateLimits(clouds.traced, connection->rate_limits,
                              providers::ProviderOfType(provider.type).RateLimits()),
      dates, std::make_shared<SystemClock>());
  connection->authorizer = std::move(credentials->authorizer);
  return ConnectedProvider{std::move(connection), std::move(dates),
                           std::move(credentials->description)};
}

void Patience::Wait(std::chrono::milliseconds time) {
  const MutexLock lock(mutex_);
  changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return ended_; });
}

void Patience::End() {
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.NotifyAll();
}

Expected<ConnectedProviders> ConnectAll(const config::Config& config, const Clouds& clouds) {
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

cloud::CurlTransportOptions MakeTransportOptions(const config::Config& config) {
  cloud::CurlTransportOptions options;
  options.user_agent = UserAgent();
  options.connect_timeout = config.transport.connect_timeout;
  options.ca_file = config.transport.ca_file.string();
  options.proxy = config.transport.proxy;
  options.no_proxy = config.transport.no_proxy;
  return options;
}

Expected<Clouds> StartClouds(const config::Config& config, EmbeddedCloud embedded,
                             const CallObservers& observers) {
  Clouds clouds;
  if (config.UsesEmbeddedCloud()) {
    if (auto started = StartEmbedded(config, embedded, clouds); !started) {
      return Fail(started.error());
    }
  }
  cloud::CurlTransportOptions options = MakeTransportOptions(config);
  if (auto checked = cloud::CheckCaFile(options.ca_file); !checked) {
    return Fail(checked.error().Wrap("transport.caFile"));
  }
  if (observers.metrics != nullptr) {
    options.observer = [metrics = observers.metrics,
                        called = observers.called](const cloud::HttpExchange& exchange) {
      if (called) called();
      const std::string code = exchange.status == 0 ? "error" : std::to_string(exchange.status);
      metrics->clouds.request_duration.Observe(exchange.duration,
                                               {exchange.service, exchange.operation});
      metrics->clouds.requests.Increment({exchange.service, exchange.operation, code});
    };
  }
  clouds.transport = std::make_shared<cloud::CurlTransport>(std::move(options));
  clouds.traced = tracing::Traced(clouds.transport, observers.spans);
  return clouds;
}

Expected<Clouds> OpenClouds(const config::Config& config, EmbeddedCloud embedded,
                            const CallObservers& observers) {
  Expected<Clouds> clouds = StartClouds(config, embedded, observers);
  if (!clouds) return clouds;
  Expected<ConnectedProviders> connected = ConnectAll(config, *clouds);
  if (!connected) return Fail(connected.error());
  clouds->providers = std::move(*connected);
  return clouds;
}

namespace {

std::optional<Severity> ToHoldSeverity(config::HoldSeverity severity) {
  switch (severity) {
    case config::HoldSeverity::kLow:
      return Severity::kLow;
    case config::HoldSeverity::kMedium:
      return Severity::kMedium;
    case config::HoldSeverity::kHigh:
      return Severity::kHigh;
    case config::HoldSeverity::kCritical:
      return Severity::kCritical;
    case config::HoldSeverity::kNone:
      break;
  }
  return std::nullopt;
}

std::vector<controller::GuardGroup> MakeGuardGroups(const config::GuardConfig& config) {
  controller::GuardGroup containers{
      "guard.maxRemovedFromContainers", {}, config.max_removed_from_containers};
  for (const providers::Provider* provider : providers::Providers()) {
    if (provider->Table() == nullptr) continue;
    for (std::string& policy : provider->Table()->ContainerPolicies()) {
      containers.kinds.push_back(std::move(policy));
    }
  }
  std::vector<controller::GuardGroup> groups = {std::move(containers)};
  for (const auto& [kind, most] : config.max_removed_by_kind) {
    groups.push_back({"guard.maxRemovedByKind of " + kind, {kind}, most});
  }
  return groups;
}

}  // namespace

std::map<std::string, std::string> ProviderTypes(const config::Config& config) {
  std::map<std::string, std::string> types;
  for (const auto& [name, provider] : config.providers) types[name] = provider.type;
  return types;
}

controller::EngineSettings MakeEngineSettings(const config::Config& config,
                                              const controller::Engine::Connections& connections) {
  controller::EngineSettings settings;
  settings.catalog.mode = config.reconcile.mode;
  settings.catalog.keep_undeclared = config.reconcile.undeclared_roles != UndeclaredRoles::kRemove;
  settings.catalog.report_undeclared =
      config.reconcile.undeclared_roles == UndeclaredRoles::kReport;
  settings.catalog.key_by_condition = config.reconcile.binding_key == BindingKey::kRoleAndCondition;
  settings.catalog.target_rules = config.targets;
  settings.catalog.protected_principals =
      std::make_shared<const ProtectedPrincipals>(config.protected_principals);
  settings.catalog.severities = std::make_shared<const SeverityRules>(config.drift.severity);
  settings.catalog.accepted = std::make_shared<const AcceptedDriftRules>(config.drift.accept);
  settings.settle = config.manifests.settle;
  constexpr int kLooksToSettle = 5;
  settings.look_distance =
      std::max(config.manifests.settle / kLooksToSettle, std::chrono::milliseconds(100));
  settings.guard.max_removed_grants = config.guard.max_removed_grants;
  settings.guard.max_removed_fraction = config.guard.max_removed_fraction;
  settings.guard.window = config.guard.window;
  settings.guard.groups = MakeGuardGroups(config.guard);
  settings.guard.hold_severity = ToHoldSeverity(config.guard.hold_severity);
  settings.recheck = {config.reconcile.interval, config.reconcile.shortest_interval,
                      config.reconcile.longest_interval, config.reconcile.requests_per_minute};
  settings.exact_interval = config.reconcile.exact_interval;
  settings.full_read_every = config.reconcile.full_read_every;
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
        connection == connections.end()
            ? providers::ProviderOfType(provider.type).OfflineProject(provider)
            : connection->second->project;
    const double rate = provider.quota.requests_per_second;
    const double burst = provider.quota.burst > 0 ? provider.quota.burst : std::max(rate, 1.0);
    settings.quotas[name] = {rate, burst, provider.quota.headroom};
  }
  settings.catalog.provider_types = ProviderTypes(config);
  std::string rules = kVersion;
  for (const auto& [name, type] : settings.catalog.provider_types) {
    rules += "\n" + name + "=" + type + ":" + settings.catalog.projects.at(name);
  }
  if (settings.catalog.key_by_condition) rules += "\nroleAndCondition";
  settings.catalog.rules = Sha256Hex(rules);
  return settings;
}

}  // namespace bindery::app
