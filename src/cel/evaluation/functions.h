#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cel/evaluation/outcome.h"

namespace bindery::cel {

using Int = std::int64_t;
using Uint = std::uint64_t;

/// The budget of an evaluation. An exhausted budget stays exhausted, and ends all
/// work.
class Meter {
 public:
  explicit Meter(std::size_t steps) : left_(steps) {}

  /// False when the budget is too small.
  bool Charge(std::size_t steps) {
    if (steps > left_) exhausted_ = true;
    left_ = exhausted_ ? 0 : left_ - steps;
    return !exhausted_;
  }
  /// For work on, or a copy of, that many bytes.
  bool ChargeBytes(std::size_t bytes) { return Charge(1 + bytes / 16); }
  [[nodiscard]] bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

/// One call of a function, its receiver, if any, being the first argument. To read its texts once
/// is paid for; a walk through lists and work beyond the sizes of the arguments is not.
struct Call {
  std::string_view name;
  std::span<const Value> args;
  Meter& meter;
};

using Function = Outcome (*)(const Call& call);

/// How a function may be called.
enum class Style { kGlobal, kMember, kEither };

/// A row of the table of functions. Operators have the names of CEL's trees: "_+_".
struct FunctionEntry {
  std::string_view name;
  Style style = Style::kEither;
  Function function = nullptr;
};

/// Nothing when no function of the name is called that way.
[[nodiscard]] Function FindFunction(std::string_view name, Style style);

// The tables of functions, one for each file functions_*.cc.
[[nodiscard]] std::span<const FunctionEntry> OperatorFunctions();
[[nodiscard]] std::span<const FunctionEntry> ConversionFunctions();
[[nodiscard]] std::span<const FunctionEntry> StringFunctions();
[[nodiscard]] std::span<const FunctionEntry> TimeFunctions();
[[nodiscard]] std::span<const FunctionEntry> IamFunctions();

/// "no such overload: _+_(int, string)".
[[nodiscard]] Failure NoSuchOverload(const Call& call);

/// A result that would have cost more than the evaluation may.
[[nodiscard]] Failure TooExpensive();

/// A value of a call that can fail, as an outcome.
template <typename T>
[[nodiscard]] Outcome MakeOutcome(Expected<T> result) {
  if (!result) return Failure{result.error().message};
  return Value(*std::move(result));
}

namespace internal {

template <typename T>
struct Parameters : Parameters<decltype(&T::operator())> {};
template <typename R, typename C, typename... Args>
struct Parameters<R (C::*)(Args...) const> {
  using Types = std::tuple<std::decay_t<Args>...>;
};

/// The argument as a parameter of the type; a parameter of type Value takes all.
template <typename T>
const T* As(const Value& value) {
  if constexpr (std::is_same_v<T, Value>) {
    return &value;
  } else if constexpr (std::is_same_v<T, List>) {
    return value.AsList();
  } else if constexpr (std::is_same_v<T, Map>) {
    return value.AsMap();
  } else {
    return value.As<T>();
  }
}

template <typename Overload, std::size_t... I>
std::optional<Outcome> Try(const Call& call, const Overload& overload, std::index_sequence<I...>) {
  using Types = typename Parameters<Overload>::Types;
  const std::tuple arguments(As<std::tuple_element_t<I, Types>>(call.args[I])...);
  if (((std::get<I>(arguments) == nullptr) || ...)) return std::nullopt;
  return Outcome(overload(*std::get<I>(arguments)...));
}

template <typename Overload>
std::optional<Outcome> Try(const Call& call, const Overload& overload) {
  constexpr std::size_t kCount = std::tuple_size_v<typename Parameters<Overload>::Types>;
  if (call.args.size() != kCount) return std::nullopt;
  return Try(call, overload, std::make_index_sequence<kCount>());
}

}  // namespace internal

/// Calls the first of the overloads (lambdas) whose parameters have the number and the types of the
/// arguments.
template <typename... Overloads>
[[nodiscard]] Outcome Dispatch(const Call& call, const Overloads&... overloads) {
  std::optional<Outcome> outcome;
  static_cast<void>((... || (outcome = internal::Try(call, overloads)).has_value()));
  return outcome ? *std::move(outcome) : Outcome(NoSuchOverload(call));
}

}  // namespace bindery::cel
