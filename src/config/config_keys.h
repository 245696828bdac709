#pragma once

#include <span>

#include "config/config.h"
#include "core/setting_key.h"

namespace bindery {

[[nodiscard]] std::span<const Key<Config>> ConfigKeys();
/// Those of all providers, and after them those of each type.
[[nodiscard]] std::span<const Key<ProviderConfig>> ProviderKeys();
[[nodiscard]] std::span<const Key<SeverityRule>> SeverityRuleKeys();
[[nodiscard]] std::span<const Key<TargetRule>> TargetRuleKeys();
[[nodiscard]] std::span<const Key<AcceptedDriftRule>> AcceptedDriftKeys();
[[nodiscard]] std::span<const Key<WebhookConfig>> WebhookKeys();

}  // namespace bindery
