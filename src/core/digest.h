#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bindery {

/// SHA-256 as bytes.
[[nodiscard]] std::array<unsigned char, 32> Sha256(std::string_view bytes);

/// Bytes as lower-case hex digits.
[[nodiscard]] std::string HexText(std::string_view bytes);

/// SHA-256 as 64 lower-case hex digits. The name of everything stored by its content.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

}  // namespace bindery
