#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/text/ascii.h"

namespace bindery::yaml {
namespace {

bool IsAmong(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::size_t CountDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && IsAsciiDigit(text[count])) ++count;
  return count;
}

bool AllIn(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == std::string_view::npos;
}

/// Of a text without sign: digits with an optional fraction and exponent.
NodeKind ResolveDecimal(std::string_view text) {
  const std::size_t whole = CountDigits(text);
  if (whole > 1 && text.front() == '0') return NodeKind::kString;
  text.remove_prefix(whole);
  if (text.empty()) return whole > 0 ? NodeKind::kInteger : NodeKind::kString;
  if (text.front() == '.') {
    text.remove_prefix(1);
    const std::size_t fraction = CountDigits(text);
    if (whole == 0 && fraction == 0) return NodeKind::kString;
    text.remove_prefix(fraction);
  } else if (whole == 0) {
    return NodeKind::kString;
  }
  if (text.empty()) return NodeKind::kFloat;
  if (text.front() != 'e' && text.front() != 'E') return NodeKind::kString;
  text.remove_prefix(1);
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return !text.empty() && CountDigits(text) == text.size() ? NodeKind::kFloat : NodeKind::kString;
}

}  // namespace

NodeKind ResolvePlain(std::string_view text) {
  // The beginning decides for nearly all texts.
  constexpr std::string_view kBeginnings = "~nNtTfF.+-0123456789";
  if (!text.empty() && kBeginnings.find(text.front()) == std::string_view::npos) {
    return NodeKind::kString;
  }
  if (IsAmong(text, {"", "~", "null", "Null", "NULL"})) return NodeKind::kNull;
  if (IsAmong(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) return NodeKind::kBool;
  if (IsAmong(text, {".nan", ".NaN", ".NAN"})) return NodeKind::kFloat;
  if (text.size() > 2 && text.front() == '0') {
    const std::string_view digits = text.substr(2);
    if (text[1] == 'o' && AllIn(digits, "01234567")) return NodeKind::kInteger;
    if (text[1] == 'x' && AllIn(digits, "0123456789abcdefABCDEF")) return NodeKind::kInteger;
  }
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  if (IsAmong(text, {".inf", ".Inf", ".INF"})) return NodeKind::kFloat;
  if (text.empty() || (!IsAsciiDigit(text.front()) && text.front() != '.'))
    return NodeKind::kString;
  return ResolveDecimal(text);
}

std::optional<Json> GetNumber(NodeKind kind, std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (kind == NodeKind::kInteger) {
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
      base = text[1] == 'x' ? 16 : 8;
      text.remove_prefix(2);
    }
    const char* const end = text.data() + text.size();
    std::int64_t value = 0;
    if (const auto read = std::from_chars(text.data(), end, value, base);
        read.ec == std::errc() && read.ptr == end) {
      return Json(value);
    }
    std::uint64_t large = 0;
    if (const auto read = std::from_chars(text.data(), end, large, base);
        read.ec == std::errc() && read.ptr == end) {
      return Json(large);
    }
    return std::nullopt;
  }
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) return std::nullopt;
  return Json(value);
}

}  // namespace bindery::yaml
