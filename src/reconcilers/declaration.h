#pragma once

#include <string>

#include "core/expected.h"
#include "manifests/manifest.h"
#include "reconcilers/kind.h"

namespace bindery {

/// What a manifest of the kind, without references, asks for: Kind::Declare of its spec, decoded
/// for this alone.
[[nodiscard]] Expected<Declaration> DeclarationOf(const Kind& kind, const Manifest& manifest,
                                                  const std::string& default_project);

}  // namespace bindery
