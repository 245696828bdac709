#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bindery::cel {

enum class LiteralKind { kString, kBytes };

/// One escape sequence.
struct Escape {
  std::size_t length = 0;  ///< In the source, backslash included; 0 when it is none.
  const char* fault = "";
};

/// Reads the escape sequence at the begin of `text`, and appends its value: code points to a
/// string, octets to bytes.
[[nodiscard]] Escape ReadEscape(std::string_view text, LiteralKind kind, std::string& value);

/// Appends a code point as UTF-8.
void AppendUtf8(char32_t code_point, std::string& text);

/// The number of bytes of the code point at the begin of `text`; 0 when not UTF-8.
[[nodiscard]] std::size_t Utf8Length(std::string_view text);

}  // namespace bindery::cel
