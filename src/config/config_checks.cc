#include <algorithm>
#include <array>
#include <utility>

#include "config/reading.h"
#include "core/address.h"
#include "core/host.h"

namespace bindery::config_internal {
namespace {

constexpr const char* kDefaultSite = "datadoghq.com";

/// Any of these says that a real service, or another emulator, is meant.
constexpr std::array<std::string_view, 16> kRemoteKeys = {"endpoints.networksecurity",
                                                          "endpoints.backupdr",
                                                          "endpoints.migrationcenter",
                                                          "endpoints.cloudresourcemanager",
                                                          "endpoints",
                                                          "credentials",
                                                          "credentials.type",
                                                          "credentials.file",
                                                          "credentials.token",
                                                          "site",
                                                          "apiUrl",
                                                          "apiKeyFile",
                                                          "appKeyFile",
                                                          "bearerTokenFile",
                                                          "quotaProject",
                                                          "universeDomain"};

template <typename Owner>
void ResolvePaths(Owner& owner, std::span<const Key<Owner>> keys,
                  const std::filesystem::path& base_dir) {
  for (const Key<Owner>& key : keys) {
    const Slot slot = key.slot(owner);
    std::filesystem::path* path = nullptr;
    if (const auto* plain = std::get_if<std::filesystem::path*>(&slot)) path = *plain;
    if (const auto* store = std::get_if<StoreUrlSlot>(&slot)) path = store->path;
    if (path != nullptr && !path->empty()) *path = (base_dir / *path).lexically_normal();
  }
}

void CheckForeignKeys(Reading& reading, const ProviderConfig& provider, const std::string& prefix) {
  for (const Key<ProviderConfig>& key : ProviderKeys()) {
    const std::string path = prefix + std::string(key.path);
    if (key.only_for.empty() || key.only_for == ToString(provider.type) || !reading.Given(path)) {
      continue;
    }
    reading.Add(reading.Where(path), path, "is for providers of type " + std::string(key.only_for));
  }
}

/// Who sends requests to this machine tries something out; everybody else has to sign in.
CredentialsType DefaultCredentials(const ProviderConfig& provider) {
  const bool local =
      std::any_of(provider.endpoints.begin(), provider.endpoints.end(),
                  [](const auto& endpoint) { return endpoint.second.starts_with("http://"); });
  return provider.embedded || local ? CredentialsType::kNone : CredentialsType::kApplicationDefault;
}

void CheckCredentials(Reading& reading, ProviderConfig& provider, const std::string& prefix) {
  CredentialsConfig& credentials = provider.credentials;
  const std::string type_path = prefix + "credentials.type";
  const std::string file_path = prefix + "credentials.file";
  const std::string token_path = prefix + "credentials.token";
  if (reading.Faulty(type_path)) return;
  if (!reading.Given(type_path)) credentials.type = DefaultCredentials(provider);
  const bool wants_file = credentials.type == CredentialsType::kAccessTokenFile ||
                          credentials.type == CredentialsType::kFile;
  const bool wants_token = credentials.type == CredentialsType::kAccessToken;
  if (wants_file && credentials.file.empty() && !reading.Faulty(file_path)) {
    reading.Add(reading.Where(type_path), file_path,
                std::string("is missing: ") +
                    (credentials.type == CredentialsType::kFile ? "file" : "accessTokenFile") +
                    " needs it");
  }
  if (wants_token && credentials.token.empty() && !reading.Faulty(token_path)) {
    reading.Add(reading.Where(type_path), token_path,
                "is missing or empty: accessToken needs it, for example ${env:ACCESS_TOKEN}");
  }
  if (!wants_file && reading.Given(file_path) && !credentials.file.empty()) {
    reading.Add(reading.Where(file_path), file_path,
                "is only for the types file and accessTokenFile");
  }
  if (!wants_token && reading.Given(token_path)) {
    reading.Add(reading.Where(token_path), token_path, "is only for the type accessToken");
  }
}

bool IsDomain(std::string_view domain) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  return domain.find('.') != std::string_view::npos &&
         domain.find_first_not_of(kAllowed) == std::string_view::npos && domain.front() != '.' &&
         domain.back() != '.';
}

void CheckUniverse(Reading& reading, const ProviderConfig& provider, const std::string& prefix) {
  const std::string path = prefix + "universeDomain";
  if (provider.universe_domain.empty() || IsDomain(provider.universe_domain)) return;
  reading.Add(reading.Where(path), path, "is not a domain such as googleapis.com");
}

void CheckDatadogCredentials(Reading& reading, const ProviderConfig& provider,
                             const std::string& prefix) {
  if (provider.bearer_token_file.empty()) return;
  if (provider.api_key_file.empty() && provider.app_key_file.empty()) return;
  const std::string path = prefix + "bearerTokenFile";
  reading.Add(reading.Where(path), path, "give either keys or a bearer token, not both");
}

void CompleteMonitoring(Reading& reading, ProviderConfig& provider, const std::string& prefix) {
  const std::string site_path = prefix + "site";
  const std::string url_path = prefix + "apiUrl";
  if (reading.Faulty(site_path) || reading.Faulty(url_path)) return;
  if (reading.Given(site_path) && reading.Given(url_path)) {
    return reading.Add(reading.Where(url_path), url_path, "give either site or apiUrl, not both");
  }
  if (provider.site.empty()) provider.site = kDefaultSite;
  if (!IsDomain(provider.site)) {
    return reading.Add(reading.Where(site_path), site_path, "is not a site such as datadoghq.eu");
  }
  constexpr std::string_view kApiPath = "/api";
  const std::string& url = provider.api_url;
  if (url.size() > kApiPath.size() && url.substr(url.size() - kApiPath.size()) == kApiPath) {
    return reading.Add(
        reading.Where(url_path), url_path,
        "must not end in /api: give the host alone, such as https://api." + provider.site);
  }
  if (url.empty()) provider.api_url = "https://api." + provider.site;
}

void CompleteProvider(Reading& reading, ProviderConfig& provider) {
  const std::string prefix = "providers." + provider.name + ".";
  if (!reading.Given(prefix + "type")) {
    return reading.Add(reading.Where("providers." + provider.name), prefix + "type",
                       "is missing: cloudnative or monitoring");
  }
  if (reading.Faulty(prefix + "type")) return;
  if (!reading.Given(prefix + "embedded")) {
    provider.embedded = true;
    for (const std::string_view key : kRemoteKeys) {
      if (reading.Given(prefix + std::string(key))) provider.embedded = false;
    }
  }
  CheckForeignKeys(reading, provider, prefix);
  std::erase_if(provider.endpoints, [](const auto& entry) { return entry.second.empty(); });
  if (provider.type == ProviderType::kCloudnative) {
    CheckCredentials(reading, provider, prefix);
    CheckUniverse(reading, provider, prefix);
  } else {
    CheckDatadogCredentials(reading, provider, prefix);
  }
  if (provider.embedded) {
    // One meaning for "embedded": its addresses are the embedded cloud's, whatever else is given.
    provider.endpoints.clear();
    provider.api_url.clear();
    return;
  }
  if (provider.type == ProviderType::kMonitoring) CompleteMonitoring(reading, provider, prefix);
}

/// "host", "host:port", "[v6]:port".
bool IsHostAndPort(std::string_view text) {
  const std::size_t host_end = text.starts_with('[') ? text.find(']') : 0;
  if (host_end == std::string_view::npos) return false;
  const std::size_t colon = text.find(':', host_end);
  if (colon == 0 || text.empty()) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view port = text.substr(colon + 1);
  return !port.empty() && port.size() <= 5 &&
         port.find_first_not_of("0123456789") == std::string_view::npos;
}

void CheckProxy(Reading& reading) {
  const std::string path = "transport.proxy";
  std::string_view rest = reading.config.transport.proxy;
  if (rest.empty() || rest == "none" || reading.Faulty(path)) return;
  for (const std::string_view scheme : {"http://", "https://", "socks5h://"}) {
    if (!rest.starts_with(scheme)) continue;
    rest.remove_prefix(scheme.size());
    while (rest.ends_with('/')) rest.remove_suffix(1);
    const std::string_view host = rest.substr(rest.rfind('@') + 1);
    const bool clean = rest.find_first_of(" \t\r\n\"\\/?#") == std::string_view::npos &&
                       rest.find('@') == rest.rfind('@');
    if (clean && IsHostAndPort(host)) return;
  }
  // The text is not repeated: it may hold a password.
  reading.Add(reading.Where(path), path,
              "is not a proxy: expected http://host:port, https://host:port, socks5h://host:port "
              "(each perhaps with user:password@) or none");
}

/// Spans hold no secrets: a collector nearby may be reached without TLS, unless it wants headers,
/// which are some.
void CheckCollector(Reading& reading) {
  constexpr std::string_view kPlain = "http://";
  constexpr std::string_view kSecure = "https://";
  const std::string path = "tracing.endpoint";
  TracingConfig& tracing = reading.config.tracing;
  if (tracing.endpoint.empty() || reading.Faulty(path)) return;
  auto url = ParseServiceUrl(tracing.endpoint);
  if (!url && tracing.endpoint.starts_with(kPlain) && tracing.headers_file.empty()) {
    url = ParseServiceUrl(std::string(kSecure) + tracing.endpoint.substr(kPlain.size()));
    if (url) url = std::string(kPlain) + url->substr(kSecure.size());
  }
  if (!url) return reading.Add(reading.Where(path), path, url.error().message);
  tracing.endpoint = *url;
}

void CheckListeners(Reading& reading) {
  const Config& config = reading.config;
  const auto check = [&reading, &config](const std::string& path, const ListenAddress& address,
                                         const std::string& way_out) {
    if (config.server.insecure || IsLoopbackHost(address.host)) return;
    reading.Add(reading.Where(path), path,
                "\"" + address.Text() +
                    "\" can be reached from other machines and asks nobody who they are: use a "
                    "loopback address, " +
                    way_out + "or set server.insecure: true");
  };
  // Whether the web configuration names somebody is looked at when it is read.
  if (config.server.web_config.empty()) {
    check("server.listen", config.server.listen, "name users in server.webConfigFile, ");
  }
  if (!config.UsesEmbeddedCloud()) return;
  check("embeddedCloud.listen", config.embedded_cloud.listen, "");
  if (config.server.listen.port != 0 && config.server.listen == config.embedded_cloud.listen) {
    reading.Add(reading.Where("embeddedCloud.listen"), "embeddedCloud.listen",
                "is the same address as server.listen");
  }
}

void CheckAllowedHosts(Reading& reading) {
  const std::string path = "server.allowedHosts";
  for (const std::string& host : reading.config.server.allowed_hosts) {
    if (reading.Faulty(path) || IsHostPattern(host)) continue;
    reading.Add(reading.Where(path), path,
                "\"" + host + "\" is not a host name, an address, *.domain or *, without a port");
  }
}

void CheckIntervals(Reading& reading) {
  const auto& reconcile = reading.config.reconcile;
  const std::string path = "reconcile.longestInterval";
  const bool both =
      reconcile.shortest_interval.count() > 0 && reconcile.longest_interval.count() > 0;
  if (!both || reconcile.shortest_interval <= reconcile.longest_interval) return;
  reading.Add(reading.Where(path), path, "is shorter than reconcile.shortestInterval");
}

void CheckNotEmpty(Reading& reading) {
  const Config& config = reading.config;
  const std::array<std::pair<const char*, const std::filesystem::path*>, 4> required = {{
      {"manifests.directory", &config.manifests.directory},
      {"embeddedCloud.store", &config.embedded_cloud.store},
      {"server.socket", &config.server.socket},
      {"reports.directory", &config.reports.directory},
  }};
  for (const auto& [path, value] : required) {
    if (value->empty()) reading.Add(reading.Where(path), path, "must not be empty");
  }
  if (config.tracing.service_name.empty()) {
    reading.Add(reading.Where("tracing.serviceName"), "tracing.serviceName", "must not be empty");
  }
}

}  // namespace

void AddDefaultProviders(Reading& reading) {
  for (const ProviderType type : {ProviderType::kCloudnative, ProviderType::kMonitoring}) {
    ProviderConfig provider;
    provider.name = ToString(type);
    provider.type = type;
    reading.given["providers." + provider.name + ".type"] = {};
    reading.config.providers[provider.name] = std::move(provider);
  }
}

void CompleteAndCheck(Reading& reading, const std::filesystem::path& base_dir) {
  Config& config = reading.config;
  for (auto& [name, provider] : config.providers) {
    CompleteProvider(reading, provider);
    ResolvePaths(provider, ProviderKeys(), base_dir);
    std::erase_if(provider.endpoints, [](const auto& entry) { return entry.second.empty(); });
  }
  CheckNotEmpty(reading);
  CheckIntervals(reading);
  CheckListeners(reading);
  CheckAllowedHosts(reading);
  CheckProxy(reading);
  CheckCollector(reading);
  CheckNotifications(reading);
  for (auto& [name, webhook] : config.notifications.webhooks) {
    ResolvePaths(webhook, WebhookKeys(), base_dir);
  }
  ResolvePaths(config, ConfigKeys(), base_dir);
}

}  // namespace bindery::config_internal
