#pragma once

#include <map>
#include <optional>
#include <string>

#include "manifests/schema/manifest.h"
#include "manifests/schema/problem.h"
#include "reconcilers/kind.h"

namespace bindery::reconcilers {

/// The provider of a manifest: the named provider, or the provider with the name of the type that
/// the kind needs.
[[nodiscard]] std::string ChooseProvider(const manifests::Manifest& manifest, const Kind& kind);

/// Why the provider cannot serve the manifest; nothing when it can. `types`: of each provider of
/// the configuration.
[[nodiscard]] std::optional<manifests::ManifestError> ProviderFault(
    const manifests::Manifest& manifest, const Kind& kind,
    const std::map<std::string, std::string>& types);

}  // namespace bindery::reconcilers
