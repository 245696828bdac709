#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convert/shapes/shape.h"
#include "yaml/node.h"

namespace bindery::convert {

// Keys of maps that a format does not have. `known`: the keys of the format, separated by spaces.

/// Why a map may mean more than its known keys say; empty: each key with a value is known. Pure.
[[nodiscard]] std::string FindUnknownKey(const yaml::Node& map, std::string_view known,
                                         const std::string& path);

/// The keys that only their letter case distinguishes from a known key. Pure.
[[nodiscard]] std::vector<WrongShape> FindOtherCase(const yaml::Node& map, std::string_view known,
                                                    const std::string& path);

}  // namespace bindery::convert
