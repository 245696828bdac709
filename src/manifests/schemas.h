#pragma once

#include <vector>

#include "manifests/schema.h"

namespace bindery {

/// What every manifest has besides its spec: `metadata` and `options`, as fields.
[[nodiscard]] const FieldList& MetadataFields();
[[nodiscard]] const FieldList& OptionFields();

}  // namespace bindery
