#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bindery {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;  ///< How many of UTF-8 it takes.
};

/// The code point at the start of `text`, which is not empty; nothing when the bytes are no UTF-8.
[[nodiscard]] std::optional<CodePoint> DecodeUtf8(std::string_view text);

/// True for characters that show nothing but move or turn the surrounding text: controls, breaks of
/// lines, marks of the direction of writing. Foreign text must not steer a terminal or a page.
[[nodiscard]] bool Steers(std::uint32_t code_point);

}  // namespace bindery
