#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// The same text with A to Z as a to z; other bytes stay.
[[nodiscard]] std::string AsciiLower(std::string_view text);

}  // namespace bindery
