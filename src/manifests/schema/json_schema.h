#pragma once

#include <span>

#include "core/base/json.h"
#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// JSON Schema (2020-12) of a whole manifest of one kind, for editors.
[[nodiscard]] Json MakeJsonSchema(const KindSchema& kind);

/// JSON Schema of a manifest of any of the kinds. Chooses by apiVersion and kind, so that an editor
/// names the wrong field and not that "no alternative matches".
[[nodiscard]] Json JsonSchemaOfAny(std::span<const KindSchema* const> kinds);

}  // namespace bindery::manifests
