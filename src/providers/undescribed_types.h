#pragma once

#include <vector>

#include "manifests/schema.h"

namespace bindery {

/// Types of resources with an allow policy by what a cloud publishes of itself, but whose calls no
/// public document describes: none is a kind. Each with the token that its kind would have (without
/// inputs) and its form of names. Without those that files of the configuration declare. A cloud
/// without such types gives none.
[[nodiscard]] std::vector<KindSchema> UndescribedTypes();

}  // namespace bindery
