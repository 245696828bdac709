#pragma once

#include <string>
#include <vector>

#include "app/directory/declared_manifests.h"

namespace bindery::app {

/// The first manifest with a reference to the name; null: none. Pure.
[[nodiscard]] const DeclaredManifest* FindReferrer(const std::string& name,
                                                   const std::vector<DeclaredManifest>& declared);

/// Why bindery does not delete the manifest for its reader, as the end of a sentence that begins
/// with the manifest: protection, grants that outlive the manifest, a second manifest of the name,
/// a manifest that names this one, an empty directory afterwards. Empty: no reason is known. Pure.
[[nodiscard]] std::string ExplainKept(const DeclaredManifest& manifest,
                                      const std::vector<DeclaredManifest>& declared);

}  // namespace bindery::app
