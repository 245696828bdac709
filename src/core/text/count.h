#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace bindery {

/// "1 grant", "3 grants".
template <std::integral Number>
[[nodiscard]] std::string Count(Number count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace bindery
