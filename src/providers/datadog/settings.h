#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "providers/provider.h"

namespace bindery::datadog {

struct DatadogSettings {
  std::string site;
  std::string api_url;                      ///< Empty: the embedded cloud's.
  std::filesystem::path api_key_file;       ///< Empty: DD_API_KEY.
  std::filesystem::path app_key_file;       ///< Empty: DD_APP_KEY.
  std::filesystem::path bearer_token_file;  ///< Instead of keys; empty: DD_BEARER_TOKEN.
  std::string scan_scope;  ///< What the daemon scans from time to time; empty: nothing.
  std::chrono::milliseconds scan_interval{std::chrono::hours(24)};
};

// The part of Provider that concerns the configuration.

[[nodiscard]] std::span<const Key<providers::ProviderConfig>> DatadogSettingKeys();
[[nodiscard]] std::span<const std::string_view> DatadogRemoteKeys();
void CheckDatadogSettings(providers::ProviderConfig& config, providers::ProviderSettings& settings);
/// Completes the API's URL from the site.
void CheckDatadogSite(providers::ProviderConfig& config, providers::ProviderSettings& settings);

}  // namespace bindery::datadog
