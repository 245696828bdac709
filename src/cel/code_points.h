#pragma once

#include <cstddef>
#include <string_view>

namespace bindery::cel {

// A string of the language counts in code points. These take UTF-8; a byte that is not part of a
// well-formed sequence counts as one.

[[nodiscard]] bool IsUtf8(std::string_view text);

/// The number of bytes of the first code point; `text` is not empty.
[[nodiscard]] std::size_t FirstLength(std::string_view text);

/// The first code point; U+FFFD for a byte that belongs to none. `text` is not empty.
[[nodiscard]] char32_t FirstCodePoint(std::string_view text);

[[nodiscard]] std::size_t CountCodePoints(std::string_view text);

/// Where the code point of that index begins, in bytes: the whole length for the index behind the
/// last one, npos beyond it.
[[nodiscard]] std::size_t ByteOffset(std::string_view text, std::size_t index);

/// What Unicode calls white space.
[[nodiscard]] bool IsSpace(char32_t c);

}  // namespace bindery::cel
