#pragma once

#include <memory>
#include <string>

#include "manifests/schema/findings.h"
#include "manifests/schema/kind_schemas.h"
#include "manifests/schema/manifest.h"
#include "yaml/reader.h"

namespace bindery::manifests {

/// Turns one document into a manifest. With an error, reported in the findings, the manifest holds
/// the readable part and must not come into force; null when the kind is unknown.
[[nodiscard]] std::shared_ptr<const Manifest> ReadManifest(const yaml::Document& document,
                                                           const SourcePath& file,
                                                           const KindSchemas& kinds,
                                                           Findings& findings);

/// metadata.name of a document as written; empty when it has none.
[[nodiscard]] std::string GetName(const yaml::Node& document);

}  // namespace bindery::manifests
