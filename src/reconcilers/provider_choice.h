#pragma once

#include <map>
#include <optional>
#include <string>

#include "manifests/manifest.h"
#include "manifests/problem.h"
#include "reconcilers/kind.h"

namespace bindery {

/// The provider a manifest is served by: the one it names, or the one named like the type its kind
/// needs.
[[nodiscard]] std::string ProviderOf(const Manifest& manifest, const Kind& kind);

/// Why that one cannot serve it; nothing when it can. `types`: of each provider of the
/// configuration.
[[nodiscard]] std::optional<ManifestError> ProviderFault(
    const Manifest& manifest, const Kind& kind, const std::map<std::string, std::string>& types);

}  // namespace bindery
