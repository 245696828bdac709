#pragma once

#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::providers {

/// Types of resources with an allow policy by a cloud's own list, but without public documents of
/// their calls: none is a kind. Each with the token of a possible kind (without inputs) and its
/// form of names. Without types declared by files of the configuration. A cloud without such types
/// gives none.
[[nodiscard]] std::vector<manifests::KindSchema> UndescribedTypes();

}  // namespace bindery::providers
