#pragma once

#include "core/json.h"
#include "manifests/findings.h"
#include "manifests/manifest.h"
#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

/// The options of a document, checked; `kind` is null where it is not known. What is wrong is
/// reported and left out.
[[nodiscard]] Options ReadOptions(const yaml::Node& root, const KindSchema* kind,
                                  Findings& findings);

/// One spelling for equal options: "interval: 60s" equals "interval: 1m", "suspend: false" nothing.
[[nodiscard]] Json CanonicalOptions(const Options& options);

}  // namespace bindery
