#pragma once

#include <string>
#include <string_view>

#include "manifests/schema/field_path.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// "a string", "a list", as a sentence needs it.
[[nodiscard]] std::string_view GetName(FieldType type);

/// What JSON a field holds: kString, kBoolean, kInteger, kList or kObject. `inner`: an item of the
/// list, or a value of the map of free keys, that it is.
[[nodiscard]] FieldType GetType(const Field& field, bool inner);

/// Why no value of the field that a reference names can be where the reference is; empty when
/// one can, as far as the schemas tell.
[[nodiscard]] std::string TypeFault(const Reference& reference, const FoundField& named);

}  // namespace bindery::manifests
