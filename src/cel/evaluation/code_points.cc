#include "cel/evaluation/code_points.h"

#include <algorithm>

#include "cel/syntax/unescape.h"

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

std::size_t CountCodePoints(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(FirstLength(text));
  return count;
}

}  // namespace bindery::cel
