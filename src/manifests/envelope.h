#pragma once

#include <memory>
#include <span>
#include <string>

#include "manifests/findings.h"
#include "manifests/manifest.h"
#include "manifests/schema.h"
#include "yaml/reader.h"

namespace bindery {

/// Turns one document into a manifest. Null when it has an error; the findings then say which.
[[nodiscard]] std::shared_ptr<const Manifest> ReadManifest(const yaml::Document& document,
                                                           const std::string& file,
                                                           std::span<const KindSchema* const> kinds,
                                                           Findings& findings);

/// metadata.name of a document as written; empty when it has none.
[[nodiscard]] std::string NameOf(const yaml::Node& document);

}  // namespace bindery
