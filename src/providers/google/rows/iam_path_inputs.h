#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

// The name of a resource in parts, as google-native's kinds have it: "project", "location",
// "topicId".

/// The fields that may hold parts of names of the row.
[[nodiscard]] manifests::FieldList ListPathInputs(const IamRow& row);

/// The inputs of the shared shape of rows.
[[nodiscard]] manifests::FieldList AnyPathInputs();

/// The name that the parts in a spec make up, without a project where none is given; nothing where
/// one is missing, or belongs to no name.
[[nodiscard]] std::optional<std::string> NameOfPathInputs(const IamRow& row, const Json& spec);

/// The name in a spec, in one piece or in parts; empty: neither.
[[nodiscard]] std::string NameInSpec(const IamRow& row, const Json& spec);

/// The parts in a spec, in order.
[[nodiscard]] std::vector<std::string> PathInputsIn(const IamRow& row, const Json& spec);

}  // namespace bindery::google
