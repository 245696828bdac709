#pragma once

#include <string>

#include "manifests/schema/schema.h"
#include "yaml/node.h"

namespace bindery::manifests {

/// The position in the file of a failure within a text: the exact place, if the text of `path` is
/// written letter for letter on one line; else the begin of the text.
[[nodiscard]] yaml::Position FindPlace(const yaml::Node& root, const std::string& path,
                                       const CheckFailure& failure);

}  // namespace bindery::manifests
