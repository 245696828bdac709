// The list extension: distinct, flatten, range, slice, sort. The macro sortBy orders as sort does.

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "cel/functions.h"
#include "cel/list_order.h"

namespace bindery::cel {
namespace {

using Int = std::int64_t;

Outcome Slice(const Call& call) {
  return Dispatch(call, [&call](const List& list, Int from, Int to) -> Outcome {
    const auto size = static_cast<Int>(list.size());
    if (from < 0 || to > size || from > to) {
      return Failure{"slice(" + std::to_string(from) + ", " + std::to_string(to) +
                     ") is not within a list of " + std::to_string(size)};
    }
    if (!call.meter.Charge(static_cast<std::size_t>(to - from))) return TooExpensive();
    return Value::OfList({list.items().begin() + from, list.items().begin() + to});
  });
}

/// False when it takes too long.
// NOLINTNEXTLINE(misc-no-recursion): values nest as deep as an evaluation allows
bool AppendFlat(const List& list, Int depth, std::vector<Value>& flat, Meter& meter) {
  for (const Value& item : list.items()) {
    if (!meter.Charge(item.CopyWeight())) return false;
    const List* inner = depth > 0 ? item.AsList() : nullptr;
    if (inner == nullptr) {
      flat.push_back(item);
    } else if (!AppendFlat(*inner, depth - 1, flat, meter)) {
      return false;
    }
  }
  return true;
}

Outcome Flatten(const Call& call) {
  const auto flatten = [&call](const List& list, Int depth) -> Outcome {
    if (depth < 0) return Failure{"flatten() takes a depth of at least 0"};
    std::vector<Value> flat;
    if (!AppendFlat(list, depth, flat, call.meter)) return TooExpensive();
    return Value::OfList(std::move(flat));
  };
  return Dispatch(
      call, [&flatten](const List& list) { return flatten(list, 1); }, flatten);
}

Outcome Distinct(const Call& call) {
  return Dispatch(call, [&call](const List& list) -> Outcome {
    std::vector<Value> kept;
    for (const Value& item : list.items()) {
      if (!call.meter.Charge((1 + kept.size()) * item.Weight())) return TooExpensive();
      const bool known = std::any_of(kept.begin(), kept.end(),
                                     [&item](const Value& other) { return Equal(item, other); });
      if (!known) kept.push_back(item);
    }
    return Value::OfList(std::move(kept));
  });
}

Outcome Range(const Call& call) {
  return Dispatch(call, [&call](Int count) -> Outcome {
    if (count < 0) return Failure{"lists.range() takes no negative count"};
    std::vector<Value> numbers;
    if (!call.meter.Charge(static_cast<std::size_t>(count))) return TooExpensive();
    for (Int i = 0; i < count; ++i) numbers.emplace_back(i);
    return Value::OfList(std::move(numbers));
  });
}

Outcome Sort(const Call& call) {
  return Dispatch(
      call, [&call](const List& list) { return SortedBy(list.items(), list.items(), call.meter); });
}

}  // namespace

Outcome SortedBy(const std::vector<Value>& items, const std::vector<Value>& keys, Meter& meter) {
  std::size_t weight = 0;
  for (const Value& key : keys) {
    const std::optional<std::partial_ordering> order = Compare(key, keys.front());
    const bool ordered = order.has_value() && *order != std::partial_ordering::unordered;
    if (!ordered || key.TypeName() != keys.front().TypeName()) {
      return Failure{"no such overload: a list is sorted by keys of one type that has an order"};
    }
    weight = std::max(weight, key.Weight());
  }
  const auto rounds = static_cast<std::size_t>(std::bit_width(keys.size()));
  if (!meter.Charge(keys.size() * rounds) || !meter.Charge(keys.size() * rounds * weight)) {
    return TooExpensive();
  }
  std::vector<std::size_t> places(items.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&keys](std::size_t one, std::size_t two) {
    return Compare(keys[one], keys[two]) == std::partial_ordering::less;
  });
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (const std::size_t place : places) sorted.push_back(items[place]);
  return Value::OfList(std::move(sorted));
}

std::span<const FunctionEntry> ListExtension() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"slice", Style::kMember, Slice},
      {"flatten", Style::kMember, Flatten},
      {"distinct", Style::kMember, Distinct},
      {"lists.range", Style::kGlobal, Range},
      {"sort", Style::kMember, Sort},
  });
  return kTable;
}

}  // namespace bindery::cel
