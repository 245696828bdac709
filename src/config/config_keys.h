#pragma once

#include <span>
#include <string_view>

#include "config/config.h"
#include "core/setting_key.h"

namespace bindery {

[[nodiscard]] std::span<const Key<Config>> ConfigKeys();
/// Those of all providers, and after them those of each type; Key::only_for says which. A name or
/// section that `type` has is left out of the others'; of an unknown type, that of a type listed
/// before has precedence.
[[nodiscard]] std::span<const Key<ProviderConfig>> ProviderKeys(std::string_view type);
/// That of the type itself.
[[nodiscard]] const Key<ProviderConfig>& ProviderTypeKey();
/// "credentials" of "credentials.type".
[[nodiscard]] std::string_view TopName(std::string_view path);
[[nodiscard]] std::span<const Key<SeverityRule>> SeverityRuleKeys();
[[nodiscard]] std::span<const Key<TargetRule>> TargetRuleKeys();
[[nodiscard]] std::span<const Key<AcceptedDriftRule>> AcceptedDriftKeys();
[[nodiscard]] std::span<const Key<ProtectedGrants>> ProtectedGrantsKeys();
[[nodiscard]] std::span<const Key<WebhookConfig>> WebhookKeys();

}  // namespace bindery
