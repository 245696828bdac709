#pragma once

#include <cstddef>
#include <string_view>

namespace bindery {

/// The first character that is no white space of JSON, by which a JSON document is told from other
/// texts; '\0' if none exists. Pure.
[[nodiscard]] constexpr char FirstCharacter(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

}  // namespace bindery
