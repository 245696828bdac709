#pragma once

#include <string>

#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

/// Where in its file a failure stands that names a place within a text: that very place, when the
/// text of `path` stands there letter for letter on one line; else where the text begins.
[[nodiscard]] yaml::Position PlaceOf(const yaml::Node& root, const std::string& path,
                                     const CheckFailure& failure);

}  // namespace bindery
