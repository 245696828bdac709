#include "store/postgres/postgres_values.h"

#include <cstddef>

#include "core/text/code_point.h"

namespace bindery::store {
namespace {

constexpr char kEscape = '\x1A';
constexpr std::string_view kHexDigits = "0123456789abcdef";

template <typename Unsigned>
std::string GetBytes(Unsigned value) {
  std::string bytes(sizeof(Unsigned), '\0');
  for (std::size_t i = bytes.size(); i > 0; --i) {
    bytes[i - 1] = static_cast<char>(value & 0xffU);
    value = static_cast<Unsigned>(value >> 8U);
  }
  return bytes;
}

void AppendEscaped(std::string& text, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  text += kEscape;
  text += kHexDigits[value >> 4U];
  text += kHexDigits[value & 0xfU];
}

bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (c == '\0' || c == kEscape || static_cast<unsigned char>(c) >= 0x80U) return false;
  }
  return true;
}

}  // namespace

std::string BigintBytes(std::int64_t value) { return GetBytes(static_cast<std::uint64_t>(value)); }

std::string IntBytes(std::int32_t value) { return GetBytes(static_cast<std::uint32_t>(value)); }

std::int64_t IntOfBytes(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = (value << 8U) | static_cast<unsigned char>(c);
  if (bytes.size() == sizeof(std::int32_t)) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }
  return static_cast<std::int64_t>(value);
}

std::string EscapedText(std::string_view text) {
  if (IsPlain(text)) return std::string(text);
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const auto point = DecodeUtf8(text);
    const bool taken = point && text.front() != '\0' && text.front() != kEscape;
    if (taken) {
      escaped.append(text.substr(0, point->bytes));
    } else {
      AppendEscaped(escaped, text.front());
    }
    text.remove_prefix(taken ? point->bytes : 1);
  }
  return escaped;
}

bool HasEscapes(std::string_view text) { return text.find(kEscape) != std::string_view::npos; }

std::string UnescapedText(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != kEscape || at + 2 >= text.size()) {
      whole += text[at];
      continue;
    }
    const std::size_t high = kHexDigits.find(text[at + 1]);
    const std::size_t low = kHexDigits.find(text[at + 2]);
    whole += static_cast<char>((high << 4U) | low);
    at += 2;
  }
  return whole;
}

std::string TaggedValue(ValueKind kind, std::string_view bytes) {
  std::string value;
  value.reserve(bytes.size() + 1);
  value += static_cast<char>(kind);
  value += bytes;
  return value;
}

}  // namespace bindery::store
