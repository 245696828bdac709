#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "emulator/google/api/response_shape.h"
#include "emulator/google/error.h"

namespace bindery::emulator {

/// What a `fields` parameter asks for: "etag,bindings(role,condition/title)".
struct FieldMask {
  std::string name;               ///< Empty for the message itself; "*" for every field.
  std::vector<FieldMask> fields;  ///< None: all of it.
};

/// Reads the parameter. Refuses what does not parse and fields that the message does not have, in
/// the words of the services.
[[nodiscard]] GoogleResult<FieldMask> ReadFieldMask(std::string_view text, const Shape& shape);

/// The selected part of the message.
[[nodiscard]] Json Select(const Json& message, const FieldMask& mask);

}  // namespace bindery::emulator
