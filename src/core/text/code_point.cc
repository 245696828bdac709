#include "core/text/code_point.h"

namespace bindery {

std::optional<CodePoint> DecodeUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return std::nullopt;
  std::size_t bytes = 4;
  if (lead < 0xF0) bytes = 3;
  if (lead < 0xE0) bytes = 2;
  if (text.size() < bytes) return std::nullopt;
  std::uint32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return std::nullopt;
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  // A long form of a shorter sequence, half of a pair, or beyond the last code point: some readers
  // accept these.
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    return std::nullopt;
  }
  return CodePoint{value, bytes};
}

bool Steers(std::uint32_t code_point) {
  const std::uint32_t c = code_point;
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool line_break = c == 0x2028 || c == 0x2029;
  const bool direction = c == 0x061C || c == 0x200E || c == 0x200F ||
                         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  // Invisible characters make two names look the same, or hide a text within a text.
  const bool hidden = c == 0x00AD || c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x180E ||
                      (c >= 0x200B && c <= 0x200D) || (c >= 0x2060 && c <= 0x2065) ||
                      (c >= 0x206A && c <= 0x206F) || c == 0x3164 || c == 0xFEFF || c == 0xFFA0 ||
                      (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
  const bool no_character = (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  return control || line_break || direction || hidden || no_character;
}

}  // namespace bindery
