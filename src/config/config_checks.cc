#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "config/reading.h"
#include "core/settings/address.h"
#include "core/text/host.h"
#include "providers/bindery/own_kinds.h"
#include "providers/registry/providers.h"

namespace bindery::config {
namespace {

template <typename Owner>
void ResolvePaths(Owner& owner, std::span<const Key<Owner>> keys,
                  const std::filesystem::path& base_dir) {
  for (const Key<Owner>& key : keys) {
    const Slot slot = key.slot(owner);
    std::filesystem::path* path = nullptr;
    if (const auto* plain = std::get_if<std::filesystem::path*>(&slot)) path = *plain;
    if (const auto* store = std::get_if<StoreUrlSlot>(&slot)) path = &store->location->file;
    if (path != nullptr && !path->empty()) *path = (base_dir / *path).lexically_normal();
  }
}

void CheckForeignKeys(Reading& reading, const providers::ProviderConfig& provider,
                      const std::string& prefix) {
  const auto refuse = [&](const std::string& path, std::string_view type) {
    reading.Add(reading.Where(path), path, "is for providers of type " + std::string(type));
  };
  for (const Key<providers::ProviderConfig>& key : ProviderKeys(provider.type)) {
    if (key.only_for.empty() || key.only_for == provider.type) continue;
    const std::string path = prefix + std::string(key.path);
    if (reading.Given(path)) refuse(path, key.only_for);
    if (!path.ends_with(".*")) continue;
    const std::string section = path.substr(0, path.size() - 1);
    for (auto given = reading.given.lower_bound(section);
         given != reading.given.end() && given->first.starts_with(section); ++given) {
      if (!reading.Faulty(given->first)) refuse(given->first, key.only_for);
    }
  }
}

/// The settings of one provider, for the provider's own checks.
class MakeSettings final : public providers::ProviderSettings {
 public:
  MakeSettings(Reading& reading, std::string prefix)
      : reading_(reading), prefix_(std::move(prefix)) {}
  [[nodiscard]] bool Given(std::string_view key) const override {
    return reading_.Given(prefix_ + std::string(key));
  }
  [[nodiscard]] bool Faulty(std::string_view key) const override {
    return reading_.Faulty(prefix_ + std::string(key));
  }
  using providers::ProviderSettings::Add;
  void Add(std::string_view at, std::string_view key, std::string message) override {
    reading_.Add(reading_.Where(prefix_ + std::string(at)), prefix_ + std::string(key),
                 std::move(message));
  }

 private:
  Reading& reading_;
  const std::string prefix_;
};

/// "cloudnative or monitoring"
std::string TypesText() {
  std::string text;
  for (const std::string_view type : providers::ProviderTypes()) {
    text += (text.empty() ? "" : " or ") + std::string(type);
  }
  return text;
}

bool IsRemote(const Reading& reading, const providers::ProviderConfig& config,
              const std::string& prefix) {
  const auto given = [&](std::string_view key) {
    const std::string path = prefix + std::string(key);
    if (reading.Given(path)) return true;
    // A variable gives a key without the section around it.
    const auto inside = reading.given.lower_bound(path + ".");
    return inside != reading.given.end() && inside->first.starts_with(path + ".");
  };
  return std::ranges::any_of(providers::ProviderOfType(config.type).RemoteKeys(), given);
}

void CheckEmbedded(Reading& reading, const providers::Provider& cloud,
                   providers::ProviderConfig& provider) {
  const std::string prefix = "providers." + provider.name + ".";
  const std::string path = prefix + "embedded";
  if (cloud.HasEmbedded()) {
    if (!reading.Given(path)) provider.embedded = !IsRemote(reading, provider, prefix);
    return;
  }
  if (reading.Given(path) && provider.embedded && !reading.Faulty(path)) {
    reading.Add(
        reading.Where(path), path,
        "must be false: the embedded cloud does not serve providers of type " + provider.type);
  }
  provider.embedded = false;
}

void CompleteProvider(Reading& reading, providers::ProviderConfig& provider) {
  const std::string prefix = "providers." + provider.name + ".";
  // A configuration with faults may still be looked at: every provider has a type.
  if (provider.type.empty()) provider.type = providers::ProviderTypes().front();
  if (provider.name == providers::kOwnProvider) {
    return reading.Add(reading.Where("providers." + provider.name), "providers." + provider.name,
                       "is the name of bindery's own kinds: choose another one");
  }
  if (!reading.Given(prefix + "type")) {
    return reading.Add(reading.Where("providers." + provider.name), prefix + "type",
                       "is missing: " + TypesText());
  }
  if (reading.Faulty(prefix + "type")) return;
  const providers::Provider& cloud = providers::ProviderOfType(provider.type);
  CheckEmbedded(reading, cloud, provider);
  CheckForeignKeys(reading, provider, prefix);
  MakeSettings settings(reading, prefix);
  cloud.CheckSettings(provider, settings);
  if (!provider.embedded) cloud.CheckRemoteSettings(provider, settings);
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

/// Why no link may be made of it; empty: nothing is wrong.
std::string FaultOfRepositoryUrl(std::string_view url) {
  constexpr std::string_view kPath = "{path}";
  constexpr std::string_view kLine = "{line}";
  constexpr std::string_view kSecure = "https://";
  constexpr std::string_view kOpen = "http://";
  if (!url.starts_with(kSecure) && !url.starts_with(kOpen)) {
    return "must begin with https:// or http://";
  }
  const std::size_t begin = (url.starts_with(kSecure) ? kSecure : kOpen).size();
  const std::string_view host = url.substr(begin, url.find('/', begin) - begin);
  if (host.empty() || host.find_first_of("{}@") != std::string_view::npos) {
    return "must name a host, without a user";
  }
  const bool plain = std::ranges::all_of(url, [](char c) {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`|").find(c) == std::string_view::npos;
  });
  if (!plain) return "must be an address: spaces, quotes and the like are written as %20";
  if (url.find(kPath) == std::string_view::npos) return "must contain {path}";
  for (std::size_t at = url.find_first_of("{}"); at != std::string_view::npos;
       at = url.find_first_of("{}", at)) {
    const std::string_view rest = url.substr(at);
    if (!rest.starts_with(kPath) && !rest.starts_with(kLine)) {
      return "may contain {path} and {line} and no other braces";
    }
    at += kPath.size();
  }
  return "";
}

void CheckRepositoryUrl(Reading& reading) {
  const std::string path = "manifests.repositoryUrl";
  const std::string& url = reading.config.manifests.repository_url;
  if (url.empty() || reading.Faulty(path)) return;
  const std::string fault = FaultOfRepositoryUrl(url);
  if (!fault.empty()) reading.Add(reading.Where(path), path, fault);
}

void CheckListeners(Reading& reading) {
  const Config& config = reading.config;
  const auto check = [&reading, &config](const std::string& path, const ListenAddress& address,
                                         const std::string& way_out) {
    if (config.server.insecure || IsLoopbackHost(address.host)) return;
    reading.Add(reading.Where(path), path,
                "\"" + address.Text() +
                    "\" can be reached from other machines without authentication: use a "
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
  const std::string exact = "reconcile.exactInterval";
  if (reconcile.exact_interval.count() > 0 && reconcile.exact_interval < reconcile.interval) {
    reading.Add(reading.Where(exact), exact, "is shorter than reconcile.interval");
  }
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
  for (const providers::Provider* cloud : providers::Providers()) {
    if (!cloud->HasEmbedded()) continue;
    providers::ProviderConfig provider;
    provider.name = cloud->type();
    provider.type = cloud->type();
    reading.given["providers." + provider.name + ".type"] = {};
    reading.config.providers[provider.name] = std::move(provider);
  }
}

void CompleteAndCheck(Reading& reading, const std::filesystem::path& base_dir) {
  Config& config = reading.config;
  for (auto& [name, provider] : config.providers) {
    CompleteProvider(reading, provider);
    provider.just_in_time = config.just_in_time;
    ResolvePaths(provider, ProviderKeys(provider.type), base_dir);
  }
  CheckNotEmpty(reading);
  CheckIntervals(reading);
  CheckListeners(reading);
  CheckAllowedHosts(reading);
  CheckRepositoryUrl(reading);
  CheckProxy(reading);
  CheckCollector(reading);
  CheckNotifications(reading);
  for (auto& [name, webhook] : config.notifications.webhooks) {
    ResolvePaths(webhook, WebhookKeys(), base_dir);
  }
  ResolvePaths(config, ConfigKeys(), base_dir);
}

}  // namespace bindery::config
