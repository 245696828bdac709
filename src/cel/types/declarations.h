#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/types/types.h"

namespace bindery::cel {

/// One form of a function, method or operator.
struct Overload {
  std::string text;  ///< "string.startsWith(string)", as messages show it.
  std::string name;  ///< "startsWith", "_<_"; "resource.matchTag" of what belongs to a name.
  std::optional<Type> target;  ///< Of a method.
  std::vector<Type> parameters;
  Type result;
  bool documented = true;  ///< For conditions; what is not is only part of the language.
};

/// What a condition of IAM may call, operators but `==`, `!=`, `in`, `?:` and `[]` included.
[[nodiscard]] const std::vector<Overload>& IamOverloads();

/// An attribute a condition may ask for.
struct Attribute {
  std::string_view path;  ///< "request.time"
  Type type;
};
[[nodiscard]] const std::vector<Attribute>& IamAttributes();

/// The attribute of the path; nothing if none exists.
[[nodiscard]] const Attribute* FindIamAttribute(std::string_view path);

/// The getters of a time: the result for any time, and the method's name.
struct TimeGetter {
  std::string_view name;
  int least = 0;
  int most = 0;
};
[[nodiscard]] const std::vector<TimeGetter>& TimeGetters();

}  // namespace bindery::cel
