// The math extension.

#include <cmath>
#include <limits>

#include "cel/functions.h"

namespace bindery::cel {
namespace {

using Int = std::int64_t;
using Uint = std::uint64_t;

/// Of the arguments, or of the one argument that is a list, the first that no other is beyond.
Outcome Extreme(const Call& call, std::partial_ordering beyond) {
  std::span<const Value> values = call.args;
  if (const List* list = values.size() == 1 ? values[0].AsList() : nullptr) {
    if (!call.meter.Charge(list->size())) return TooExpensive();
    values = list->items();
  }
  if (values.empty()) return Failure{"invalid argument: an empty list has no extreme"};
  const Value* extreme = &values[0];
  for (const Value& value : values) {
    const bool number =
        value.As<Int>() != nullptr || value.As<Uint>() != nullptr || value.As<double>() != nullptr;
    if (!number) return NoSuchOverload(call);
    if (Compare(value, *extreme) == beyond) extreme = &value;
  }
  return *extreme;
}

Outcome Greatest(const Call& call) { return Extreme(call, std::partial_ordering::greater); }
Outcome Least(const Call& call) { return Extreme(call, std::partial_ordering::less); }

Outcome Ceil(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::ceil(a)); });
}
Outcome Floor(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::floor(a)); });
}
Outcome Round(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::round(a)); });
}
Outcome Trunc(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::trunc(a)); });
}

Outcome Sqrt(const Call& call) {
  return Dispatch(
      call, [](double a) { return Value(std::sqrt(a)); },
      [](Int a) { return Value(std::sqrt(static_cast<double>(a))); },
      [](Uint a) { return Value(std::sqrt(static_cast<double>(a))); });
}

Outcome Abs(const Call& call) {
  return Dispatch(
      call,
      [](Int a) -> Outcome {
        if (a == std::numeric_limits<Int>::min()) return Failure{"return error for overflow"};
        return Value(a < 0 ? -a : a);
      },
      [](Uint a) { return Value(a); }, [](double a) { return Value(std::abs(a)); });
}

Outcome Sign(const Call& call) {
  return Dispatch(
      call, [](Int a) { return Value(Int{a > 0} - Int{a < 0}); },
      [](Uint a) { return Value(Uint{a > 0}); },
      [](double a) {
        return Value(a > 0 ? 1.0 : a < 0 ? -1.0 : a);
      });
}

Outcome IsNan(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::isnan(a)); });
}
Outcome IsInf(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::isinf(a)); });
}
Outcome IsFinite(const Call& call) {
  return Dispatch(call, [](double a) { return Value(std::isfinite(a)); });
}

Outcome BitAnd(const Call& call) {
  return Dispatch(
      call, [](Uint a, Uint b) { return Value(a & b); },
      [](Int a, Int b) {
        return Value(static_cast<Int>(static_cast<Uint>(a) & static_cast<Uint>(b)));
      });
}
Outcome BitOr(const Call& call) {
  return Dispatch(
      call, [](Uint a, Uint b) { return Value(a | b); },
      [](Int a, Int b) {
        return Value(static_cast<Int>(static_cast<Uint>(a) | static_cast<Uint>(b)));
      });
}
Outcome BitXor(const Call& call) {
  return Dispatch(
      call, [](Uint a, Uint b) { return Value(a ^ b); },
      [](Int a, Int b) {
        return Value(static_cast<Int>(static_cast<Uint>(a) ^ static_cast<Uint>(b)));
      });
}
Outcome BitNot(const Call& call) {
  return Dispatch(
      call, [](Uint a) { return Value(~a); },
      [](Int a) { return Value(static_cast<Int>(~static_cast<Uint>(a))); });
}

template <typename ShiftBits>
Outcome Shift(const Call& call, ShiftBits shift) {
  static const Failure kNegative{"invalid argument: negative offset"};
  return Dispatch(
      call,
      [shift](Uint a, Int by) -> Outcome {
        if (by < 0) return kNegative;
        return Value(by > 63 ? Uint{0} : shift(a, by));
      },
      [shift](Int a, Int by) -> Outcome {
        if (by < 0) return kNegative;
        return Value(static_cast<Int>(by > 63 ? Uint{0} : shift(static_cast<Uint>(a), by)));
      });
}

Outcome BitShiftLeft(const Call& call) {
  return Shift(call, [](Uint a, Int by) { return a << static_cast<unsigned>(by); });
}
// Zeros come in from the left, also for a negative int.
Outcome BitShiftRight(const Call& call) {
  return Shift(call, [](Uint a, Int by) { return a >> static_cast<unsigned>(by); });
}

}  // namespace

std::span<const FunctionEntry> MathExtensions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"math.greatest", Style::kGlobal, Greatest},
      {"math.least", Style::kGlobal, Least},
      {"math.ceil", Style::kGlobal, Ceil},
      {"math.floor", Style::kGlobal, Floor},
      {"math.round", Style::kGlobal, Round},
      {"math.trunc", Style::kGlobal, Trunc},
      {"math.sqrt", Style::kGlobal, Sqrt},
      {"math.abs", Style::kGlobal, Abs},
      {"math.sign", Style::kGlobal, Sign},
      {"math.isNaN", Style::kGlobal, IsNan},
      {"math.isInf", Style::kGlobal, IsInf},
      {"math.isFinite", Style::kGlobal, IsFinite},
      {"math.bitAnd", Style::kGlobal, BitAnd},
      {"math.bitOr", Style::kGlobal, BitOr},
      {"math.bitXor", Style::kGlobal, BitXor},
      {"math.bitNot", Style::kGlobal, BitNot},
      {"math.bitShiftLeft", Style::kGlobal, BitShiftLeft},
      {"math.bitShiftRight", Style::kGlobal, BitShiftRight},
  });
  return kTable;
}

}  // namespace bindery::cel
