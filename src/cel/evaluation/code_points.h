#pragma once

#include <cstddef>
#include <string_view>

namespace bindery::cel {

// A string of the language counts in code points. These take UTF-8; a byte that is not part of a
// well-formed sequence counts as one.

[[nodiscard]] bool IsUtf8(std::string_view text);

/// The number of bytes of the first code point; `text` is not empty.
[[nodiscard]] std::size_t FirstLength(std::string_view text);

[[nodiscard]] std::size_t CountCodePoints(std::string_view text);

}  // namespace bindery::cel
