#include "cel/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "cel/code_points.h"
#include "cel/printer.h"

namespace bindery::cel {
namespace {

using Int = std::int64_t;
using Uint = std::uint64_t;

/// More digits than any double has behind its point.
constexpr int kMostPrecision = 1000;

/// The result as far as it is written; `error` once something cannot be.
struct Output {
  std::string text;
  std::string error;
};

std::string_view SpecialText(double number) {
  if (std::isnan(number)) return "NaN";
  return number > 0 ? "Infinity" : "-Infinity";
}

std::string FixedText(double number, std::chars_format form, int precision) {
  if (!std::isfinite(number)) return std::string(SpecialText(number));
  std::string buffer(static_cast<std::size_t>(precision) + 330, '\0');
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, form, precision);
  buffer.resize(static_cast<std::size_t>(result.ptr - buffer.data()));
  return buffer;
}

/// As few digits as tell the number from its neighbours, without an exponent.
std::string PlainText(double number) {
  if (!std::isfinite(number)) return std::string(SpecialText(number));
  std::array<char, 400> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), result.ptr};
}

void WriteString(const Value& value, Output& out);

void WriteList(const List& list, Output& out) {
  out.text += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out.text += ", ";
    WriteString(list.items()[i], out);
  }
  out.text += ']';
}

/// In the order of the keys' texts.
void WriteMap(const Map& map, Output& out) {
  std::vector<std::pair<std::string, const Value*>> entries;
  for (const auto& [key, value] : map.entries()) {
    Output key_text;
    WriteString(key, key_text);
    entries.emplace_back(std::move(key_text.text), &value);
  }
  std::sort(entries.begin(), entries.end());
  out.text += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out.text += ", ";
    out.text += entries[i].first + ": ";
    WriteString(*entries[i].second, out);
  }
  out.text += '}';
}

struct StringWriter {
  Output& out;
  void operator()(std::nullptr_t) const { out.text += "null"; }
  void operator()(bool flag) const { out.text += flag ? "true" : "false"; }
  void operator()(Int number) const { out.text += std::to_string(number); }
  void operator()(Uint number) const { out.text += std::to_string(number); }
  void operator()(double number) const { out.text += PlainText(number); }
  void operator()(const std::string& text) const { out.text += text; }
  void operator()(const Bytes& bytes) const {
    if (!IsUtf8(bytes.value)) out.error = "invalid UTF-8 in bytes";
    out.text += bytes.value;
  }
  void operator()(Timestamp time) const { out.text += ToString(time); }
  void operator()(Duration span) const { out.text += ToString(span); }
  void operator()(const TypeValue& type) const { out.text += type.name; }
  void operator()(const IpAddress& address) const { out.text += ToString(address); }
  void operator()(const IpRange& range) const { out.text += ToString(range); }
  void operator()(const ListPtr& list) const { WriteList(*list, out); }
  void operator()(const MapPtr& map) const { WriteMap(*map, out); }
  void operator()(const Optional&) const {
    out.error =
        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
        "types, durations, and timestamps, was given optional_type";
  }
};

void WriteString(const Value& value, Output& out) { value.Visit(StringWriter{out}); }

std::string Digits(Uint number, int base) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, base);
  return {buffer.data(), result.ptr};
}

std::string Digits(Int number, int base) {
  if (number >= 0) return Digits(static_cast<Uint>(number), base);
  return "-" + Digits(Uint{0} - static_cast<Uint>(number), base);
}

/// False when the value is no integer.
bool WriteInteger(const Value& value, int base, Output& out) {
  if (const auto* number = value.As<Int>()) {
    out.text += Digits(*number, base);
  } else if (const auto* positive = value.As<Uint>()) {
    out.text += Digits(*positive, base);
  } else {
    return false;
  }
  return true;
}

bool WriteDecimal(const Value& value, Output& out) {
  if (const auto* real = value.As<double>(); real != nullptr && !std::isfinite(*real)) {
    out.text += SpecialText(*real);
    return true;
  }
  return WriteInteger(value, 10, out);
}

bool WriteBinary(const Value& value, Output& out) {
  if (const auto* flag = value.As<bool>()) {
    out.text += *flag ? '1' : '0';
    return true;
  }
  return WriteInteger(value, 2, out);
}

bool WriteHex(const Value& value, bool upper, Output& out) {
  const std::size_t begin = out.text.size();
  const auto* text = value.As<std::string>();
  const auto* bytes = value.As<Bytes>();
  if (text == nullptr && bytes == nullptr) {
    if (!WriteInteger(value, 16, out)) return false;
  } else {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    for (const char c : text != nullptr ? *text : bytes->value) {
      out.text += kDigits[static_cast<unsigned char>(c) >> 4U];
      out.text += kDigits[static_cast<unsigned char>(c) & 0x0FU];
    }
  }
  if (!upper) return true;
  std::transform(out.text.begin() + static_cast<std::ptrdiff_t>(begin), out.text.end(),
                 out.text.begin() + static_cast<std::ptrdiff_t>(begin), [](char c) {
                   return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
                 });
  return true;
}

bool WriteReal(const Value& value, std::chars_format form, int precision, Output& out) {
  double number = 0;
  if (const auto* real = value.As<double>()) {
    number = *real;
  } else if (const auto* whole = value.As<Int>()) {
    number = static_cast<double>(*whole);
  } else if (const auto* positive = value.As<Uint>()) {
    number = static_cast<double>(*positive);
  } else {
    return false;
  }
  out.text += FixedText(number, form, precision);
  return true;
}

/// What a letter formats; empty for one that is no clause.
std::string_view Expectation(char clause) {
  switch (clause) {
    case 's':
      return "string clause";
    case 'd':
      return "decimal clause can only be used on integers";
    case 'b':
      return "only integers and bools can be formatted as binary";
    case 'o':
      return "octal clause can only be used on integers";
    case 'x':
    case 'X':
      return "only integers, byte buffers, and strings can be formatted as hex";
    case 'f':
      return "fixed-point clause can only be used on doubles";
    case 'e':
      return "scientific clause can only be used on doubles";
    default:
      return {};
  }
}

bool WriteClause(char clause, int precision, const Value& value, Output& out) {
  switch (clause) {
    case 'd':
      return WriteDecimal(value, out);
    case 'b':
      return WriteBinary(value, out);
    case 'o':
      return WriteInteger(value, 8, out);
    case 'x':
      return WriteHex(value, false, out);
    case 'X':
      return WriteHex(value, true, out);
    case 'f':
      return WriteReal(value, std::chars_format::fixed, precision, out);
    case 'e':
      return WriteReal(value, std::chars_format::scientific, precision, out);
    default:
      WriteString(value, out);
      return true;
  }
}

/// Takes ".12" off the front when it is there; false when there are no digits or too many.
bool TakePrecision(std::string_view& text, int& precision) {
  precision = 6;
  if (!text.starts_with('.')) return true;
  text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, precision);
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return error == std::errc() && precision >= 0 && precision <= kMostPrecision;
}

}  // namespace

Outcome FormatText(std::string_view text, std::span<const Value> args, Meter& meter) {
  Output out;
  std::size_t next = 0;
  while (!text.empty()) {
    const std::size_t percent = std::min(text.find('%'), text.size());
    out.text += text.substr(0, percent);
    text.remove_prefix(percent);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.starts_with('%')) {
      out.text += '%';
      text.remove_prefix(1);
      continue;
    }
    int precision = 0;
    if (!TakePrecision(text, precision) || text.empty()) {
      return Failure{"could not parse formatting clause: unexpected end of string or precision"};
    }
    const char clause = text.front();
    const std::string_view name = text.substr(0, FirstLength(text));
    text.remove_prefix(1);
    const std::string_view expectation = Expectation(clause);
    if (expectation.empty()) {
      return Failure{"could not parse formatting clause: unrecognized formatting clause " +
                     QuotedLiteral(name)};
    }
    if (next == args.size()) return Failure{"index " + std::to_string(next) + " out of range"};
    const Value& value = args[next++];
    if (!meter.Charge(8 * value.Weight() + static_cast<std::size_t>(precision))) {
      return TooExpensive();
    }
    if (!WriteClause(clause, precision, value, out)) {
      return Failure{"error during formatting: " + std::string(expectation) + ", was given " +
                     std::string(value.TypeName())};
    }
    if (!out.error.empty()) return Failure{"error during formatting: " + out.error};
  }
  return Value(std::move(out.text));
}

}  // namespace bindery::cel
