#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace bindery::conformance {

/// A field of a message in the text format of protocol buffers: a scalar or a message.
struct ProtoField {
  std::string name;  ///< "[type.googleapis.com/…]" of a packed message.
  std::string text;  ///< A scalar: as written, or the bytes of a string.
  std::vector<ProtoField> fields;

  /// The first field of that name; null when there is none.
  [[nodiscard]] const ProtoField* Find(std::string_view field) const;
  /// The text of that field; empty when there is none.
  [[nodiscard]] std::string Text(std::string_view field) const;
};

/// Reads a message in text format, without a schema. The fields of a list stand as repeated ones.
[[nodiscard]] Expected<ProtoField> ReadTextProto(std::string_view source);

}  // namespace bindery::conformance
