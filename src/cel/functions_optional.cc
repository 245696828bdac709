// Optional values. `.?`, `[?`, optMap and optFlatMap are the evaluator's.

#include "cel/functions.h"

namespace bindery::cel {
namespace {

/// null, false, 0, "", [], {} and so on.
bool IsZero(const Value& value) {
  if (value.IsNull()) return true;
  if (const List* list = value.AsList()) return list->size() == 0;
  if (const Map* map = value.AsMap()) return map->size() == 0;
  if (const auto* optional = value.As<Optional>()) return optional->value == nullptr;
  if (const auto* text = value.As<std::string>()) return text->empty();
  if (const auto* bytes = value.As<Bytes>()) return bytes->value.empty();
  if (const auto* flag = value.As<bool>()) return !*flag;
  if (const auto* time = value.As<Timestamp>()) return *time == Timestamp{};
  if (const auto* span = value.As<Duration>()) return *span == Duration{};
  return Equal(value, Value(std::int64_t{0}));
}

Outcome Of(const Call& call) {
  return Dispatch(call, [](const Value& a) { return Value::OfOptional(a); });
}

Outcome None(const Call& call) {
  return Dispatch(call, [] { return Value(Optional{}); });
}

Outcome OfNonZeroValue(const Call& call) {
  return Dispatch(
      call, [](const Value& a) { return IsZero(a) ? Value(Optional{}) : Value::OfOptional(a); });
}

Outcome HasValue(const Call& call) {
  return Dispatch(call, [](const Optional& a) { return Value(a.value != nullptr); });
}

Outcome ValueOf(const Call& call) {
  return Dispatch(call, [](const Optional& a) -> Outcome {
    if (a.value == nullptr) return Failure{"optional.none() dereference"};
    return *a.value;
  });
}

Outcome Or(const Call& call) {
  return Dispatch(
      call, [](const Optional& a, const Optional& b) { return Value(a.value != nullptr ? a : b); });
}

Outcome OrValue(const Call& call) {
  return Dispatch(
      call, [](const Optional& a, const Value& b) { return a.value != nullptr ? *a.value : b; });
}

}  // namespace

std::span<const FunctionEntry> OptionalFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"optional.of", Style::kGlobal, Of},
      {"optional.none", Style::kGlobal, None},
      {"optional.ofNonZeroValue", Style::kGlobal, OfNonZeroValue},
      {"hasValue", Style::kMember, HasValue},
      {"value", Style::kMember, ValueOf},
      {"or", Style::kMember, Or},
      {"orValue", Style::kMember, OrValue},
  });
  return kTable;
}

}  // namespace bindery::cel
