#pragma once

#include <optional>
#include <string_view>

#include "manifests/schema/schema.h"

namespace bindery::manifests {

// What the values of manifests must look like. All pure; nothing means fine.

/// A check that refuses the empty text and a text of white space only.
[[nodiscard]] std::optional<CheckFailure> CheckNotBlank(std::string_view text);

/// metadata.name: up to 253 lower-case letters, digits, '-' and '.', a letter or digit at both
/// ends.
[[nodiscard]] std::optional<CheckFailure> CheckManifestName(std::string_view text);

/// options.provider: the name of a provider of the configuration.
[[nodiscard]] std::optional<CheckFailure> CheckProviderName(std::string_view text);

/// options.interval: a duration from 1s to 365d.
[[nodiscard]] std::optional<CheckFailure> CheckInterval(std::string_view text);

/// options.customTimeouts: a duration from 1s to 24h.
[[nodiscard]] std::optional<CheckFailure> CheckTimeout(std::string_view text);

/// options.ignoreChanges: a path such as "bindings[0].principals".
[[nodiscard]] std::optional<CheckFailure> CheckFieldPath(std::string_view text);

}  // namespace bindery::manifests
