#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// The text between double quotes, for messages: without escapes.
[[nodiscard]] inline std::string Quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

}  // namespace bindery
