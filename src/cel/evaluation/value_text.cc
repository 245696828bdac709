#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "cel/evaluation/value.h"
#include "cel/syntax/printer.h"

namespace bindery::cel {
namespace {

/// As the printer of expressions writes a literal.
std::string LiteralText(Constant literal) {
  Expr expr;
  expr.value = std::move(literal);
  return Print(expr);
}

struct Writer {
  std::string& out;

  template <typename Literal>
  void operator()(const Literal& literal) const {
    out += LiteralText(literal);
  }
  void operator()(double number) const;
  void operator()(Timestamp time) const { out += "timestamp(\"" + ToString(time) + "\")"; }
  void operator()(Duration span) const { out += "duration(\"" + ToString(span) + "\")"; }
  void operator()(const TypeValue& type) const { out += type.name; }
  void operator()(const ListPtr& list) const;
  void operator()(const MapPtr& map) const;
};

void Write(const Value& value, std::string& out) { value.Visit(Writer{out}); }

void Writer::operator()(double number) const {
  // NaN and infinities have no literal.
  out += std::isfinite(number) ? LiteralText(number) : "double(\"" + NumberText(number) + "\")";
}

void Writer::operator()(const ListPtr& list) const {
  out += '[';
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (i > 0) out += ", ";
    Write(list->items()[i], out);
  }
  out += ']';
}

void Writer::operator()(const MapPtr& map) const {
  out += '{';
  for (std::size_t i = 0; i < map->size(); ++i) {
    if (i > 0) out += ", ";
    Write(map->entries()[i].first, out);
    out += ": ";
    Write(map->entries()[i].second, out);
  }
  out += '}';
}

}  // namespace

std::string ToText(const Value& value) {
  std::string out;
  Write(value, out);
  return out;
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  // Fixed digits from 0.0001 to below 1,000,000, an exponent otherwise.
  const double size = std::abs(value);
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e6);
  std::array<char, 40> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer.data(), result.ptr};
}

}  // namespace bindery::cel
