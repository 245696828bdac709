#pragma once

#include <span>
#include <string_view>

#include "providers/provider.h"

namespace bindery {

// The part of Provider that concerns the configuration.

[[nodiscard]] std::span<const Key<ProviderConfig>> DatadogSettingKeys();
[[nodiscard]] std::span<const std::string_view> DatadogRemoteKeys();
void CheckDatadogSettings(const ProviderConfig& config, ProviderSettings& settings);
/// Completes the API's URL from the site.
void CheckDatadogSite(ProviderConfig& config, ProviderSettings& settings);

}  // namespace bindery
