#include "providers/datadog/settings.h"

#include <array>
#include <string>

#include "providers/inventory_source.h"

namespace bindery::datadog {

const providers::InventorySource& DatadogInventory();

namespace {

DatadogSettings& GetDatadog(providers::ProviderConfig& provider) {
  return provider.own.Of<DatadogSettings>();
}

/// Between two scans, in milliseconds.
constexpr double kShortestScan = 600'000;
constexpr double kLongestScan = 365.0 * 24 * 3'600'000;

constexpr const char* kDefaultSite = "datadoghq.com";

constexpr std::array<std::string_view, 5> kDatadogRemoteKeys = {"site", "apiUrl", "apiKeyFile",
                                                                "appKeyFile", "bearerTokenFile"};

constexpr std::array kDatadogKeys = {
    Key<providers::ProviderConfig>{
        "site", [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).site; },
        "The Datadog site, such as datadoghq.eu."},
    Key<providers::ProviderConfig>{
        "apiUrl",
        [](providers::ProviderConfig& p) -> Slot { return ServiceUrlSlot{&GetDatadog(p).api_url}; },
        "The base URL of the API, instead of a site."},
    Key<providers::ProviderConfig>{
        "apiKeyFile",
        [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).api_key_file; },
        "The file that holds the API key; else DD_API_KEY."},
    Key<providers::ProviderConfig>{
        "appKeyFile",
        [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).app_key_file; },
        "The file that holds the application key; else DD_APP_KEY."},
    Key<providers::ProviderConfig>{
        "bearerTokenFile",
        [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).bearer_token_file; },
        "The file that holds an access token, instead of keys; else DD_BEARER_TOKEN."},
    Key<providers::ProviderConfig>{
        "scan.scope",
        [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).scan_scope; },
        "The scope that the daemon scans from time to time, as in docs/scan.md."},
    Key<providers::ProviderConfig>{
        "scan.interval",
        [](providers::ProviderConfig& p) -> Slot { return &GetDatadog(p).scan_interval; },
        "How long after the beginning of a scan the next one begins.",
        {kShortestScan, kLongestScan}},
};

}  // namespace

std::span<const Key<providers::ProviderConfig>> DatadogSettingKeys() { return kDatadogKeys; }

std::span<const std::string_view> DatadogRemoteKeys() { return kDatadogRemoteKeys; }

void CheckDatadogSettings(providers::ProviderConfig& config,
                          providers::ProviderSettings& settings) {
  DatadogSettings& own = GetDatadog(config);
  if (config.embedded) own.api_url.clear();
  providers::CheckScanPlan(DatadogInventory(), own.scan_scope, settings);
  if (own.bearer_token_file.empty()) return;
  if (own.api_key_file.empty() && own.app_key_file.empty()) return;
  constexpr std::string_view kKey = "bearerTokenFile";
  settings.Add(kKey, "give either keys or a bearer token, not both");
}

void CheckDatadogSite(providers::ProviderConfig& config, providers::ProviderSettings& settings) {
  constexpr std::string_view kSite = "site";
  constexpr std::string_view kUrl = "apiUrl";
  DatadogSettings& own = GetDatadog(config);
  if (settings.Faulty(kSite) || settings.Faulty(kUrl)) return;
  if (settings.Given(kSite) && settings.Given(kUrl)) {
    return settings.Add(kUrl, "give either site or apiUrl, not both");
  }
  if (own.site.empty()) own.site = kDefaultSite;
  if (!providers::IsServiceDomain(own.site)) {
    return settings.Add(kSite, "is not a site such as datadoghq.eu");
  }
  constexpr std::string_view kApiPath = "/api";
  const std::string& url = own.api_url;
  if (url.size() > kApiPath.size() && url.substr(url.size() - kApiPath.size()) == kApiPath) {
    return settings.Add(
        kUrl, "must not end in /api: give the host alone, such as https://api." + own.site);
  }
  if (url.empty()) own.api_url = "https://api." + own.site;
}

}  // namespace bindery::datadog
