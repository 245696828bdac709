#pragma once

#include <cstddef>
#include <span>
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

/// Why a setting of a provider has no effect: it is known in other letter case. Empty: it is not.
[[nodiscard]] std::string FindWrongLetterCase(std::string_view setting);

/// What a value of a format is. A scalar is a text or an integer, as TextUnder() has it.
enum class Shape { kScalar, kFlag, kMap, kList, kMapOrFlag };

/// The value at a path below a map. "a.b[].c": `c` of each item of the list `b` of the map `a`;
/// "a.*": each value of the map `a`.
struct ExpectedShape {
  std::string_view path;
  Shape shape;
};

/// A value of another shape than its format has.
struct WrongShape {
  yaml::Position at;
  std::string path;
  std::string reason;  ///< "expected a map, found a list"
};

/// The values below `root` with wrong shapes, in the order of `expected`. A value that is absent or
/// null has no shape, and below a wrong value there is none. Pure.
[[nodiscard]] std::vector<WrongShape> FindWrongShapes(const yaml::Node& root,
                                                      std::span<const ExpectedShape> expected,
                                                      const std::string& path);

}  // namespace bindery::convert
