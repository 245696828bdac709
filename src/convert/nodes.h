#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.h"

namespace bindery::convert {

// Makes and changes trees whose values keep their original places.

[[nodiscard]] yaml::Node TextNode(std::string text, yaml::Position at);
[[nodiscard]] yaml::Node ListNode(std::vector<yaml::Node> items, yaml::Position at);
[[nodiscard]] yaml::Node MapNode(yaml::Position at);

void Put(yaml::Node& map, std::string key, yaml::Node value);
/// The value under the key, or nullptr.
[[nodiscard]] yaml::Node* FindIn(yaml::Node& map, std::string_view key);
void EraseFrom(yaml::Node& map, std::string_view key);

/// "path[3]"
[[nodiscard]] std::string ItemPath(const std::string& path, std::size_t index);

/// "a list", "an integer", "nothing".
[[nodiscard]] std::string WhatIs(const yaml::Node& node);

}  // namespace bindery::convert
