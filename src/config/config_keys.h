#pragma once

#include <span>
#include <string_view>

#include "config/config.h"
#include "core/settings/setting_key.h"

namespace bindery::config {

[[nodiscard]] std::span<const Key<Config>> ConfigKeys();
/// The keys of all providers, followed by the keys of each type; Key::only_for names the type. A
/// name or section that `type` has is left out of the further types' keys; for an unknown type, an
/// earlier type has precedence.
[[nodiscard]] std::span<const Key<providers::ProviderConfig>> ProviderKeys(std::string_view type);
/// The key of the type itself.
[[nodiscard]] const Key<providers::ProviderConfig>& ProviderTypeKey();
/// The key of a section that a single value in the place of the section stands for, if the key is
/// a choice: "groups: cloudidentity" is short for "groups: {source: cloudidentity}".
inline constexpr std::string_view kShortForm = "source";
/// "credentials" of "credentials.type".
[[nodiscard]] std::string_view TopName(std::string_view path);
[[nodiscard]] std::span<const Key<SeverityRule>> SeverityRuleKeys();
[[nodiscard]] std::span<const Key<TargetRule>> TargetRuleKeys();
[[nodiscard]] std::span<const Key<AcceptedDriftRule>> AcceptedDriftKeys();
[[nodiscard]] std::span<const Key<ProtectedGrants>> ProtectedGrantsKeys();
[[nodiscard]] std::span<const Key<WebhookConfig>> WebhookKeys();

}  // namespace bindery::config
