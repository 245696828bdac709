#include "emulator/google/etag.h"

#include <array>
#include <cstddef>

namespace bindery::emulator {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kNeverWritten("\x00\x20\x01", 3);
constexpr char kMark = 0x07;
constexpr std::size_t kSize = 8;

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : bytes) {
    bits = (bits << 8U) | static_cast<unsigned char>(c);
    count += 8;
    while (count >= 6) {
      count -= 6;
      text += kAlphabet[(bits >> count) & 63U];
    }
  }
  if (count > 0) text += kAlphabet[(bits << (6 - count)) & 63U];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

}  // namespace

std::string EtagText(EtagMicros micros) {
  if (micros == 0) return EncodeBase64(kNeverWritten);
  std::string bytes(1, kMark);
  for (int shift = 48; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(
        (static_cast<std::uint64_t>(micros) >> static_cast<unsigned>(shift)) & 255U);
  }
  return EncodeBase64(bytes);
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const char standard = c == '-' ? '+' : c == '_' ? '/' : c;
    const std::size_t value = kAlphabet.find(standard);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 255U);
    }
  }
  return bytes;
}

std::optional<EtagMicros> EtagFromBytes(std::string_view bytes) {
  if (bytes == kNeverWritten) return 0;
  if (bytes.size() != kSize || bytes.front() != kMark) return std::nullopt;
  std::uint64_t micros = 0;
  for (const char c : bytes.substr(1)) micros = (micros << 8U) | static_cast<unsigned char>(c);
  return static_cast<EtagMicros>(micros);
}

}  // namespace bindery::emulator
