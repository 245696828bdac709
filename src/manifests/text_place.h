#pragma once

#include <string>

#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

/// The position in its file of a failure that names a place within a text: that very place, when
/// the text of `path` is there letter for letter on one line; else the begin of the text.
[[nodiscard]] yaml::Position PlaceOf(const yaml::Node& root, const std::string& path,
                                     const CheckFailure& failure);

}  // namespace bindery
