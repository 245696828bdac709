// Arithmetic, comparison, concatenation, membership, indexing and size.

#include <algorithm>
#include <cmath>
#include <limits>

#include "cel/evaluation/code_points.h"
#include "cel/evaluation/functions.h"

namespace bindery::cel {
namespace {

Failure Overflow() { return {"return error for overflow"}; }

template <typename T>
Outcome AddNumbers(T left, T right) {
  T sum = 0;
  if (__builtin_add_overflow(left, right, &sum)) return Overflow();
  return Value(sum);
}

template <typename T>
Outcome SubtractNumbers(T left, T right) {
  T difference = 0;
  if (__builtin_sub_overflow(left, right, &difference)) return Overflow();
  return Value(difference);
}

template <typename T>
Outcome MultiplyNumbers(T left, T right) {
  T product = 0;
  if (__builtin_mul_overflow(left, right, &product)) return Overflow();
  return Value(product);
}

bool QuotientOverflows(Int left, Int right) {
  return left == std::numeric_limits<Int>::min() && right == -1;
}

Outcome Plus(const Call& call) {
  return Dispatch(
      call, [](Int a, Int b) { return AddNumbers(a, b); },
      [](Uint a, Uint b) { return AddNumbers(a, b); },
      [](double a, double b) { return Value(a + b); },
      [](const std::string& a, const std::string& b) { return Value(a + b); },
      [](const Bytes& a, const Bytes& b) { return Value(Bytes{a.value + b.value}); },
      [](Timestamp a, Duration b) { return MakeOutcome(Add(a, b)); },
      [](Duration a, Timestamp b) { return MakeOutcome(Add(b, a)); },
      [](Duration a, Duration b) { return MakeOutcome(Add(a, b)); },
      [&call](const List& a, const List& b) -> Outcome {
        if (!call.meter.Charge(a.size() + b.size())) return TooExpensive();
        std::vector<Value> items = a.items();
        items.insert(items.end(), b.items().begin(), b.items().end());
        return Value::OfList(std::move(items));
      });
}

Outcome Minus(const Call& call) {
  return Dispatch(
      call, [](Int a, Int b) { return SubtractNumbers(a, b); },
      [](Uint a, Uint b) { return SubtractNumbers(a, b); },
      [](double a, double b) { return Value(a - b); },
      [](Timestamp a, Timestamp b) { return MakeOutcome(Subtract(a, b)); },
      [](Timestamp a, Duration b) { return MakeOutcome(Subtract(a, b)); },
      [](Duration a, Duration b) { return MakeOutcome(Subtract(a, b)); });
}

Outcome Times(const Call& call) {
  return Dispatch(
      call, [](Int a, Int b) { return MultiplyNumbers(a, b); },
      [](Uint a, Uint b) { return MultiplyNumbers(a, b); },
      [](double a, double b) { return Value(a * b); });
}

Outcome Divide(const Call& call) {
  static const Failure kByZero{"divide by zero"};
  return Dispatch(
      call,
      [](Int a, Int b) -> Outcome {
        if (b == 0) return kByZero;
        if (QuotientOverflows(a, b)) return Overflow();
        return Value(a / b);
      },
      [](Uint a, Uint b) -> Outcome {
        if (b == 0) return kByZero;
        return Value(a / b);
      },
      [](double a, double b) { return Value(a / b); });
}

Outcome Modulo(const Call& call) {
  static const Failure kByZero{"modulus by zero"};
  return Dispatch(
      call,
      [](Int a, Int b) -> Outcome {
        if (b == 0) return kByZero;
        if (QuotientOverflows(a, b)) return Overflow();
        return Value(a % b);
      },
      [](Uint a, Uint b) -> Outcome {
        if (b == 0) return kByZero;
        return Value(a % b);
      });
}

Outcome Negate(const Call& call) {
  return Dispatch(
      call, [](Int a) { return SubtractNumbers(Int{0}, a); }, [](double a) { return Value(-a); });
}

Outcome Not(const Call& call) {
  return Dispatch(call, [](bool a) { return Value(!a); });
}

Outcome EqualAs(const Call& call, bool expected) {
  return Dispatch(call, [&call, expected](const Value& a, const Value& b) -> Outcome {
    if (!call.meter.Charge(std::min(a.Weight(), b.Weight()))) return TooExpensive();
    return Value(Equal(a, b) == expected);
  });
}

Outcome IsEqual(const Call& call) { return EqualAs(call, true); }
Outcome IsUnequal(const Call& call) { return EqualAs(call, false); }

template <typename Test>
Outcome Ordered(const Call& call, Test test) {
  return Dispatch(call, [&call, test](const Value& a, const Value& b) -> Outcome {
    const std::optional<std::partial_ordering> order = Compare(a, b);
    if (!order) return NoSuchOverload(call);
    return Value(test(*order));
  });
}

Outcome Less(const Call& call) {
  return Ordered(call, [](std::partial_ordering order) { return order < 0; });
}
Outcome LessOrEqual(const Call& call) {
  return Ordered(call, [](std::partial_ordering order) { return order <= 0; });
}
Outcome Greater(const Call& call) {
  return Ordered(call, [](std::partial_ordering order) { return order > 0; });
}
Outcome GreaterOrEqual(const Call& call) {
  return Ordered(call, [](std::partial_ordering order) { return order >= 0; });
}

Outcome In(const Call& call) {
  return Dispatch(
      call,
      [&call](const Value& item, const List& list) -> Outcome {
        if (!call.meter.Charge(call.args[1].Weight())) return TooExpensive();
        return Value(std::any_of(list.items().begin(), list.items().end(),
                                 [&item](const Value& other) { return Equal(item, other); }));
      },
      [](const Value& key, const Map& map) { return Value(map.Find(key) != nullptr); });
}

/// The element that an int, a uint or a whole double means; nothing beyond the list.
std::optional<Outcome> Element(const List& list, const Value& index) {
  const std::optional<std::partial_ordering> sign = Compare(index, Value(Int{0}));
  if (!sign) {
    return Outcome(
        Failure{"invalid argument: a list index of type " + std::string(index.TypeName())});
  }
  const auto* real = index.As<double>();
  if (real != nullptr && *real != std::trunc(*real)) {
    return Outcome(Failure{"invalid argument: the list index " + ToText(index) + " is not whole"});
  }
  const std::optional<std::partial_ordering> size = Compare(index, Value(Uint{list.size()}));
  if (*sign < 0 || *size >= 0) return std::nullopt;
  if (real != nullptr) return Outcome(list.items()[static_cast<Uint>(*real)]);
  const auto* whole = index.As<Int>();
  return Outcome(list.items()[whole != nullptr ? static_cast<Uint>(*whole) : *index.As<Uint>()]);
}

Outcome Index(const Call& call) {
  return Dispatch(
      call,
      [](const List& list, const Value& index) -> Outcome {
        if (std::optional<Outcome> element = Element(list, index)) return *std::move(element);
        return Failure{"invalid argument: index out of bounds: " + ToText(index)};
      },
      [](const Map& map, const Value& key) -> Outcome {
        if (const Value* found = map.Find(key)) return *found;
        return Failure{"no such key: " + ToText(key)};
      });
}

Outcome Size(const Call& call) {
  return Dispatch(
      call, [](const std::string& text) { return Value(static_cast<Int>(CountCodePoints(text))); },
      [](const Bytes& bytes) { return Value(static_cast<Int>(bytes.value.size())); },
      [](const List& list) { return Value(static_cast<Int>(list.size())); },
      [](const Map& map) { return Value(static_cast<Int>(map.size())); });
}

}  // namespace

std::span<const FunctionEntry> OperatorFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"_+_", Style::kGlobal, Plus},
      {"_-_", Style::kGlobal, Minus},
      {"_*_", Style::kGlobal, Times},
      {"_/_", Style::kGlobal, Divide},
      {"_%_", Style::kGlobal, Modulo},
      {"-_", Style::kGlobal, Negate},
      {"!_", Style::kGlobal, Not},
      {"_==_", Style::kGlobal, IsEqual},
      {"_!=_", Style::kGlobal, IsUnequal},
      {"_<_", Style::kGlobal, Less},
      {"_<=_", Style::kGlobal, LessOrEqual},
      {"_>_", Style::kGlobal, Greater},
      {"_>=_", Style::kGlobal, GreaterOrEqual},
      {"_in_", Style::kGlobal, In},
      {"_[_]", Style::kGlobal, Index},
      {"size", Style::kEither, Size},
  });
  return kTable;
}

}  // namespace bindery::cel
