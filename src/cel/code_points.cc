#include "cel/code_points.h"

#include <algorithm>
#include <array>

#include "cel/unescape.h"

namespace bindery::cel {
bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t FirstLength(std::string_view text) {
  return std::max<std::size_t>(1, Utf8Length(text));
}

char32_t FirstCodePoint(std::string_view text) {
  const std::size_t length = Utf8Length(text);
  if (length == 0) return 0xFFFD;
  static constexpr std::array<unsigned, 5> kLeadMask = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(text[0]) & kLeadMask[length];
  for (std::size_t i = 1; i < length; ++i) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return code;
}

std::size_t CountCodePoints(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(FirstLength(text));
  return count;
}

std::size_t ByteOffset(std::string_view text, std::size_t index) {
  std::size_t offset = 0;
  for (; index > 0; --index) {
    if (offset == text.size()) return std::string_view::npos;
    offset += FirstLength(text.substr(offset));
  }
  return offset;
}

bool IsSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

}  // namespace bindery::cel
