#pragma once

#include <memory>
#include <string>

#include "manifests/findings.h"
#include "manifests/kind_schemas.h"
#include "manifests/manifest.h"
#include "yaml/reader.h"

namespace bindery {

/// Turns one document into a manifest. With an error, which the findings tell, it holds what could
/// be read and must not come into force; null when its kind is not known.
[[nodiscard]] std::shared_ptr<const Manifest> ReadManifest(const yaml::Document& document,
                                                           const SourcePath& file,
                                                           const KindSchemas& kinds,
                                                           Findings& findings);

/// metadata.name of a document as written; empty when it has none.
[[nodiscard]] std::string NameOf(const yaml::Node& document);

}  // namespace bindery
