// Conversions between the basic types, and `type`.

#include <charconv>
#include <cmath>

#include "cel/evaluation/code_points.h"
#include "cel/evaluation/functions.h"

namespace bindery::cel {
namespace {

Failure RangeError(const Value& value, std::string_view type) {
  return {"range error: " + ToText(value) + " is no " + std::string(type)};
}

Failure NotA(std::string_view type, const std::string& text) {
  // A long text would make a long message.
  const bool shown = text.size() <= 64;
  return {"type conversion error: " + (shown ? ToText(Value(text)) : "the string") + " is no " +
          std::string(type)};
}

template <typename T>
Outcome NumberFrom(const std::string& text, std::string_view type) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  T number = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  // "nan(…)" is none of the language's.
  if (error != std::errc() || rest != end || digits.ends_with(')')) return NotA(type, text);
  return Value(number);
}

Outcome ToInt(const Call& call) {
  return Dispatch(
      call, [](Int a) { return Value(a); },
      [](Uint a) -> Outcome {
        if (a > Uint{std::numeric_limits<Int>::max()}) return RangeError(Value(a), "int");
        return Value(static_cast<Int>(a));
      },
      [](double a) -> Outcome {
        // The bounds themselves are refused: the exact number may lie beyond.
        if (!(a > -kTwoTo63 && a < kTwoTo63)) return RangeError(Value(a), "int");
        return Value(static_cast<Int>(a));
      },
      [](const std::string& a) { return NumberFrom<Int>(a, "int"); },
      [](Timestamp a) { return Value(a.seconds); });
}

Outcome ToUint(const Call& call) {
  return Dispatch(
      call, [](Uint a) { return Value(a); },
      [](Int a) -> Outcome {
        if (a < 0) return RangeError(Value(a), "uint");
        return Value(static_cast<Uint>(a));
      },
      [](double a) -> Outcome {
        if (!(a >= 0 && a < kTwoTo64)) return RangeError(Value(a), "uint");
        return Value(static_cast<Uint>(a));
      },
      [](const std::string& a) { return NumberFrom<Uint>(a, "uint"); });
}

Outcome ToDouble(const Call& call) {
  return Dispatch(
      call, [](double a) { return Value(a); }, [](Int a) { return Value(static_cast<double>(a)); },
      [](Uint a) { return Value(static_cast<double>(a)); },
      [](const std::string& a) { return NumberFrom<double>(a, "double"); });
}

Outcome ToBool(const Call& call) {
  return Dispatch(
      call, [](bool a) { return Value(a); },
      [](const std::string& a) -> Outcome {
        for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
          if (a == yes) return Value(true);
        }
        for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
          if (a == no) return Value(false);
        }
        return NotA("bool", a);
      });
}

Outcome ToStringValue(const Call& call) {
  return Dispatch(
      call, [](const std::string& a) { return Value(a); },
      [](bool a) { return Value(std::string(a ? "true" : "false")); },
      [](Int a) { return Value(std::to_string(a)); },
      [](Uint a) { return Value(std::to_string(a)); },
      [](double a) { return Value(NumberText(a)); },
      [](const Bytes& a) -> Outcome {
        if (!IsUtf8(a.value)) return Failure{"invalid UTF-8 in bytes, cannot convert to string"};
        return Value(a.value);
      },
      [](Timestamp a) { return Value(ToString(a)); },
      [](Duration a) { return Value(ToString(a)); });
}

Outcome ToBytes(const Call& call) {
  return Dispatch(
      call, [](const Bytes& a) { return Value(a); },
      [](const std::string& a) { return Value(Bytes{a}); });
}

Outcome ToTimestamp(const Call& call) {
  return Dispatch(
      call, [](Timestamp a) { return Value(a); },
      [](Int a) { return MakeOutcome(MakeTimestamp(a, 0)); },
      [](const std::string& a) { return MakeOutcome(ParseTimestamp(a)); });
}

Outcome ToDuration(const Call& call) {
  return Dispatch(
      call, [](Duration a) { return Value(a); },
      [](const std::string& a) { return MakeOutcome(ParseDuration(a)); });
}

Outcome ToDyn(const Call& call) {
  return Dispatch(call, [](const Value& a) { return a; });
}

Outcome GetType(const Call& call) {
  return Dispatch(call, [](const Value& a) { return Value(TypeValue{std::string(a.TypeName())}); });
}

}  // namespace

std::span<const FunctionEntry> ConversionFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"int", Style::kGlobal, ToInt},
      {"uint", Style::kGlobal, ToUint},
      {"double", Style::kGlobal, ToDouble},
      {"bool", Style::kGlobal, ToBool},
      {"string", Style::kGlobal, ToStringValue},
      {"bytes", Style::kGlobal, ToBytes},
      {"timestamp", Style::kGlobal, ToTimestamp},
      {"duration", Style::kGlobal, ToDuration},
      {"dyn", Style::kGlobal, ToDyn},
      {"type", Style::kGlobal, GetType},
  });
  return kTable;
}

}  // namespace bindery::cel
