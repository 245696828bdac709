#include "cel/syntax/literals.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bindery::cel {
namespace {

std::optional<std::uint64_t> Magnitude(std::string_view digits) {
  const bool hex = digits.substr(0, 2) == "0x";
  if (hex) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<Constant> Integer(std::string_view digits, bool negative) {
  const std::optional<std::uint64_t> magnitude = Magnitude(digits);
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!magnitude || *magnitude > kLargest + (negative ? 1 : 0)) return std::nullopt;
  if (!negative) return static_cast<std::int64_t>(*magnitude);
  if (*magnitude > kLargest) return std::numeric_limits<std::int64_t>::min();
  return -static_cast<std::int64_t>(*magnitude);
}

std::optional<Constant> Double(std::string_view digits, bool negative) {
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    // Too large, or too small to differ from zero: strtod decides which.
    value = std::strtod(std::string(digits).c_str(), nullptr);
  }
  if (std::isinf(value)) return std::nullopt;
  return negative ? -value : value;
}

/// Nothing when the number does not fit.
std::optional<Constant> GetNumber(const Token& token, bool negative) {
  if (token.kind == TokenKind::kInt) return Integer(token.text, negative);
  if (token.kind == TokenKind::kDouble) return Double(token.text, negative);
  const std::optional<std::uint64_t> value = Magnitude(token.text.substr(0, token.text.size() - 1));
  if (!value) return std::nullopt;
  return *value;
}

std::string_view GetNumberType(TokenKind number) {
  if (number == TokenKind::kInt) return "int";
  return number == TokenKind::kUint ? "uint" : "double";
}

}  // namespace

bool IsSignedNumberAhead(const Builder& builder) {
  const TokenKind next = builder.Ahead(1).kind;
  return builder.Current().Is("-") && (next == TokenKind::kInt || next == TokenKind::kDouble);
}

Part ReadNumber(Builder& builder, bool negative) {
  const Token& number = negative ? builder.Ahead(1) : builder.Current();
  const Position at = builder.Current().at;
  std::optional<Constant> value = GetNumber(number, negative);
  if (!value) {
    builder.Report(at,
                   "invalid " + std::string(GetNumberType(number.kind)) + " literal: out of range");
    value = nullptr;
  }
  Part node = Builder::Start(ExprKind::kConstant, at, at);
  if (negative) builder.Take();
  builder.Take();
  node.expr->value = *std::move(value);
  return builder.Finish(std::move(node));
}

Part ReadText(Builder& builder) {
  const Token& token = builder.Current();
  if (token.kind == TokenKind::kBytes) return ReadConstant(builder, Bytes{token.value});
  return ReadConstant(builder, token.value);
}

Part ReadConstant(Builder& builder, Constant value) {
  const Position at = builder.Current().at;
  Part node = Builder::Start(ExprKind::kConstant, at, at);
  builder.Take();
  node.expr->value = std::move(value);
  return builder.Finish(std::move(node));
}

}  // namespace bindery::cel
