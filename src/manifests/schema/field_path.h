#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "manifests/schema/expression.h"
#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The value at the end of a path.
struct FoundField {
  /// The last field on the way.
  const Field* field = nullptr;
  bool secret = false;  ///< It is a secret, is below one, or holds one.
  bool inner = false;   ///< An item of the list, or a value of the map of free keys, it is.
};

/// Follows a path through the fields of a kind; every item of a list is taken to be there. The
/// error says which step leads nowhere, with the nearest spelling.
[[nodiscard]] tl::expected<FoundField, std::string> FindFieldAt(
    std::span<const FieldList* const> fields, const FieldPath& path);

}  // namespace bindery::manifests
