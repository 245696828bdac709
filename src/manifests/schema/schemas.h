#pragma once

#include <cstddef>
#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The names of manifests: their form and how long they may be. A JSON Schema says both by keywords
/// of their own, because not every regular expression engine has look-ahead.
inline constexpr const char* kManifestNamePattern =
    "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$";
inline constexpr std::size_t kLongestManifestName = 253;

/// What every manifest has besides its spec: `metadata` and `options`, as fields.
[[nodiscard]] const FieldList& MetadataFields();
[[nodiscard]] const FieldList& OptionFields();

}  // namespace bindery::manifests
