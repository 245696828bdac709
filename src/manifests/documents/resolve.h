#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/problem.h"
#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The values of a manifest, inputs and outputs, as one JSON object; an error when no values are
/// known (yet).
using OutputLookup = std::function<Expected<Json>(const std::string& name)>;

/// The manifest with the values its references stand for, without references, and checked in full.
/// An error of `lookup` is passed on as it is; kUnavailable where a value is missing yet;
/// kInvalidArgument where the outcome does not fit the kind, with the error, each at the reference
/// that brought it in. Each manifest is looked up once.
[[nodiscard]] tl::expected<std::shared_ptr<const Manifest>, ManifestError> Resolve(
    const Manifest& manifest, const KindSchema& kind, const KnownName& known,
    const OutputLookup& lookup);

}  // namespace bindery::manifests
