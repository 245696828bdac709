#include "cel/syntax/unescape.h"

#include <optional>

namespace bindery::cel {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;

bool IsSurrogate(char32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

int ReadDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

/// The number of exactly that many digits of the base.
std::optional<char32_t> ReadDigits(std::string_view text, std::size_t count, int base) {
  if (text.size() < count) return std::nullopt;
  char32_t code = 0;
  for (const char c : text.substr(0, count)) {
    const int digit = ReadDigit(c);
    if (digit >= base) return std::nullopt;
    code = code * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  return code;
}

/// The character of a backslash and this letter; nothing for an invalid letter.
std::optional<char> Simple(char letter) {
  constexpr std::string_view kLetters = "abfnrtv\"'\\?`";
  constexpr std::string_view kMeant = "\a\b\f\n\r\t\v\"'\\?`";
  const std::size_t index = kLetters.find(letter);
  if (index == std::string_view::npos) return std::nullopt;
  return kMeant[index];
}

Escape Octet(std::string_view text, LiteralKind kind, std::string& value) {
  const bool hex = text[1] == 'x' || text[1] == 'X';
  const std::size_t begin = hex ? 2 : 1;
  const std::size_t digits = hex ? 2 : 3;
  const std::optional<char32_t> code = ReadDigits(text.substr(begin), digits, hex ? 16 : 8);
  if (!code) {
    return {0, hex ? "'\\x' takes two hexadecimal digits" : "an octal escape takes three digits"};
  }
  if (kind == LiteralKind::kBytes) {
    value += static_cast<char>(static_cast<unsigned char>(*code));
  } else {
    AppendUtf8(*code, value);
  }
  return {begin + digits};
}

Escape CodePoint(std::string_view text, LiteralKind kind, std::string& value) {
  if (kind == LiteralKind::kBytes) return {0, "bytes take no '\\u' or '\\U'"};
  const std::size_t digits = text[1] == 'u' ? 4 : 8;
  const std::optional<char32_t> code = ReadDigits(text.substr(2), digits, 16);
  if (!code) {
    return {0, digits == 4 ? "'\\u' takes four hexadecimal digits"
                           : "'\\U' takes eight hexadecimal digits"};
  }
  if (*code > kLastCodePoint || IsSurrogate(*code)) return {0, "invalid unicode code point"};
  AppendUtf8(*code, value);
  return {2 + digits};
}

}  // namespace

void AppendUtf8(char32_t code_point, std::string& text) {
  const auto byte = [&](char32_t bits) {
    text += static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0U | (code_point >> 6U));
    byte(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    byte(0xE0U | (code_point >> 12U));
    byte(0x80U | ((code_point >> 6U) & 0x3FU));
    byte(0x80U | (code_point & 0x3FU));
  } else {
    byte(0xF0U | (code_point >> 18U));
    byte(0x80U | ((code_point >> 12U) & 0x3FU));
    byte(0x80U | ((code_point >> 6U) & 0x3FU));
    byte(0x80U | (code_point & 0x3FU));
  }
}

std::size_t Utf8Length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80U) return 1;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < length) return 0;
  char32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (next & 0x3FU);
  }
  constexpr char32_t kFirstOf[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kFirstOf[length] || code > kLastCodePoint || IsSurrogate(code)) return 0;
  return length;
}

Escape ReadEscape(std::string_view text, LiteralKind kind, std::string& value) {
  if (text.size() < 2) return {0, "nothing follows the backslash"};
  const char letter = text[1];
  if (const std::optional<char> meant = Simple(letter)) {
    value += *meant;
    return {2};
  }
  if (letter == 'x' || letter == 'X' || (letter >= '0' && letter <= '3')) {
    return Octet(text, kind, value);
  }
  if (letter == 'u' || letter == 'U') return CodePoint(text, kind, value);
  return {0, "unknown escape sequence"};
}

}  // namespace bindery::cel
