#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.h"

namespace bindery::convert {

/// What a value of a format is.
enum class Shape {
  kText,
  kScalar,  ///< A text or an integer, as TextUnder() has it.
  kFlag,
  kMap,
  kList,
  kMarks,  ///< True or false, or a map of marks and of lists of marks.
};

/// Whether null stands for an absent value.
enum class Null { kIsWrong, kIsAbsent };

/// The value at a path below a map. "a.b[].c": `c` of each item of the list `b` of the map `a`;
/// "a.*": each value of the map `a`.
struct ExpectedShape {
  std::string_view path;
  Shape shape;
  Null null = Null::kIsWrong;
  std::string_view advice = {};  ///< Behind the reason, for a scalar of another kind.
};

/// A value of another shape than its format has.
struct WrongShape {
  yaml::Position at;
  std::string path;
  std::string reason;  ///< "expected a map, found a list"
};

/// The values below `root` with wrong shapes, in the order of `expected`. An absent value has no
/// shape, and below a wrong value there is none. Pure.
[[nodiscard]] std::vector<WrongShape> FindWrongShapes(const yaml::Node& root,
                                                      std::span<const ExpectedShape> expected,
                                                      const std::string& path);

}  // namespace bindery::convert
