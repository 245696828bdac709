#pragma once

#include <vector>

#include "manifests/schema.h"

namespace bindery {

/// What every manifest has besides its spec: `metadata` and `options`, as fields.
[[nodiscard]] const std::vector<Field>& MetadataFields();
[[nodiscard]] const std::vector<Field>& OptionFields();

}  // namespace bindery
