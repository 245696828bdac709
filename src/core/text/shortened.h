#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bindery {

/// The longest text of a service in a message: an error, a name in a grant. In bytes.
inline constexpr std::size_t kLongestForeignText = 500;

/// `text` as one line of at most `most` bytes, without blanks at the ends. Controls and line
/// separators become blanks, runs of blanks one blank. A longer text ends after a whole word, or
/// where a word is very long after a whole character, with "…" beyond the limit.
[[nodiscard]] std::string Shortened(std::string_view text, std::size_t most = kLongestForeignText);

}  // namespace bindery
