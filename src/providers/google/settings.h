#pragma once

#include <span>
#include <string_view>

#include "providers/provider.h"

namespace bindery {

// The part of Provider that concerns the configuration.

[[nodiscard]] std::span<const Key<ProviderConfig>> GoogleSettingKeys();
[[nodiscard]] std::span<const std::string_view> GoogleRemoteKeys();
void CheckGoogleSettings(ProviderConfig& config, ProviderSettings& settings);

}  // namespace bindery
