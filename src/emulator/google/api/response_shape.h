#pragma once

#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "emulator/call.h"

namespace bindery::emulator {

/// A field of a service's message, with its content.
struct Shape {
  std::string_view name;  ///< In lowerCamelCase; empty for the message itself.
  std::vector<Shape> fields = {};
  bool map = false;  ///< Its keys are free.
  /// Of an enumeration: the names of its values, in the order of their numbers; empty where a
  /// number is not used.
  std::vector<std::string_view> values = {};
};

/// The message of the call's answer.
[[nodiscard]] const Shape& GetShape(const Call& call);

/// The same message with enumerations as numbers: `$alt=json;enum-encoding=int`, which the
/// generated clients ask for.
[[nodiscard]] Json WithNumberedEnums(const Json& message, const Shape& shape);

}  // namespace bindery::emulator
