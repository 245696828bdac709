#pragma once

#include <string>

#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The inputs of a kind, and the options of its manifests, as a Markdown table: path, type,
/// required, description.
[[nodiscard]] std::string FieldTable(const KindSchema& kind);

}  // namespace bindery::manifests
