#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// The same text with A to Z as a to z; other bytes stay.
[[nodiscard]] std::string AsciiLower(std::string_view text);

[[nodiscard]] constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace bindery
