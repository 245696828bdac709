#include "cel/evaluation/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bindery::cel {
namespace {

constexpr std::size_t kMostWeight = std::numeric_limits<std::size_t>::max() / 2;

/// Stops at the maximum, so that a value that doubles sixty times does not come out small.
std::size_t AddWeights(std::size_t left, std::size_t right) {
  return std::min(kMostWeight, left + right);
}

std::partial_ordering Reverse(std::partial_ordering order) { return 0 <=> order; }

std::partial_ordering CompareNumbers(std::int64_t left, std::uint64_t right) {
  if (left < 0) return std::partial_ordering::less;
  return static_cast<std::uint64_t>(left) <=> right;
}

// Beyond the integers' range the double decides; within it both are compared as doubles.
std::partial_ordering CompareNumbers(std::int64_t left, double right) {
  if (right < -kTwoTo63) return std::partial_ordering::greater;
  if (right > kTwoTo63) return std::partial_ordering::less;
  return static_cast<double>(left) <=> right;
}

std::partial_ordering CompareNumbers(std::uint64_t left, double right) {
  if (right < 0) return std::partial_ordering::greater;
  if (right > kTwoTo64) return std::partial_ordering::less;
  return static_cast<double>(left) <=> right;
}

/// The order of two numbers of different types; nothing when one is no number.
std::optional<std::partial_ordering> CompareMixed(const Value& left, const Value& right) {
  const auto* uint = right.As<std::uint64_t>();
  const auto* real = right.As<double>();
  if (const auto* number = left.As<std::int64_t>()) {
    if (uint != nullptr) return CompareNumbers(*number, *uint);
    if (real != nullptr) return CompareNumbers(*number, *real);
  }
  if (const auto* number = left.As<std::uint64_t>(); number != nullptr && real != nullptr) {
    return CompareNumbers(*number, *real);
  }
  return std::nullopt;
}

template <typename T>
std::optional<std::partial_ordering> CompareAs(const Value& left, const Value& right) {
  const T* a = left.As<T>();
  const T* b = right.As<T>();
  if (a == nullptr || b == nullptr) return std::nullopt;
  if constexpr (std::same_as<T, Bytes>) {
    return a->value <=> b->value;
  } else {
    return *a <=> *b;
  }
}

bool EqualLists(const List& left, const List& right) {
  return std::equal(left.items().begin(), left.items().end(), right.items().begin(),
                    right.items().end(), Equal);
}

bool EqualMaps(const Map& left, const Map& right) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.entries().begin(), left.entries().end(), [&right](const auto& entry) {
    const Value* other = right.Find(entry.first);
    return other != nullptr && Equal(entry.second, *other);
  });
}

/// Whether both have the type and are equal; nothing when the types differ.
template <typename T>
std::optional<bool> EqualValues(const Value& left, const Value& right) {
  const T* a = left.As<T>();
  const T* b = right.As<T>();
  if (a == nullptr || b == nullptr) return std::nullopt;
  return *a == *b;
}

struct TypeNameOf {
  std::string_view operator()(std::nullptr_t) const { return "null_type"; }
  std::string_view operator()(bool) const { return "bool"; }
  std::string_view operator()(std::int64_t) const { return "int"; }
  std::string_view operator()(std::uint64_t) const { return "uint"; }
  std::string_view operator()(double) const { return "double"; }
  std::string_view operator()(const std::string&) const { return "string"; }
  std::string_view operator()(const Bytes&) const { return "bytes"; }
  std::string_view operator()(Timestamp) const { return "google.protobuf.Timestamp"; }
  std::string_view operator()(Duration) const { return "google.protobuf.Duration"; }
  std::string_view operator()(const ListPtr&) const { return "list"; }
  std::string_view operator()(const MapPtr&) const { return "map"; }
  std::string_view operator()(const TypeValue&) const { return "type"; }
};

std::size_t TextWeight(std::size_t bytes) { return 1 + bytes / 16; }

}  // namespace

Value::Value(const Constant& literal) {
  std::visit([this](const auto& content) { data_ = content; }, literal);
}

Value Value::OfList(std::vector<Value> items) {
  Value value;
  value.data_ = std::make_shared<const List>(std::move(items));
  return value;
}

Value Value::OfMap(Map map) {
  Value value;
  value.data_ = std::make_shared<const Map>(std::move(map));
  return value;
}

const List* Value::AsList() const {
  const auto* list = As<ListPtr>();
  return list == nullptr ? nullptr : list->get();
}

const Map* Value::AsMap() const {
  const auto* map = As<MapPtr>();
  return map == nullptr ? nullptr : map->get();
}

std::string_view Value::TypeName() const { return std::visit(TypeNameOf{}, data_); }

std::size_t Value::Weight() const {
  if (const auto* text = As<std::string>()) return TextWeight(text->size());
  if (const auto* bytes = As<Bytes>()) return TextWeight(bytes->value.size());
  if (const List* list = AsList()) return list->weight_;
  if (const Map* map = AsMap()) return map->weight_;
  return 1;
}

std::size_t Value::CopyWeight() const {
  return AsList() != nullptr || AsMap() != nullptr ? 1 : Weight();
}

int Value::Depth() const {
  if (const List* list = AsList()) return list->depth_;
  if (const Map* map = AsMap()) return map->depth_;
  return 0;
}

List::List(std::vector<Value> items) : items_(std::move(items)) {
  for (const Value& item : items_) {
    weight_ = AddWeights(weight_, item.Weight());
    depth_ = std::max(depth_, 1 + item.Depth());
  }
}

std::optional<Map::Key> Map::MakeKey(const Value& value) {
  if (const auto* flag = value.As<bool>()) return Key(*flag);
  if (const auto* number = value.As<std::int64_t>()) return Key(*number);
  if (const auto* text = value.As<std::string>()) return Key(*text);
  if (const auto* number = value.As<std::uint64_t>()) {
    if (*number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return Key(*number);
    return Key(static_cast<std::int64_t>(*number));
  }
  if (const auto* number = value.As<double>();
      number != nullptr && *number == std::trunc(*number)) {
    if (*number >= -kTwoTo63 && *number < kTwoTo63) return Key(static_cast<std::int64_t>(*number));
    if (*number >= kTwoTo63 && *number < kTwoTo64) return Key(static_cast<std::uint64_t>(*number));
  }
  return std::nullopt;
}

bool Map::IsKey(const Value& value) {
  return value.As<double>() == nullptr && MakeKey(value).has_value();
}

bool Map::Add(Value key, Value value) {
  if (!IsKey(key) || !index_.emplace(*MakeKey(key), entries_.size()).second) return false;
  weight_ = AddWeights(weight_, AddWeights(key.Weight(), value.Weight()));
  depth_ = std::max(depth_, 1 + value.Depth());
  entries_.emplace_back(std::move(key), std::move(value));
  return true;
}

const Value* Map::Find(const Value& key) const {
  const std::optional<Key> index_key = MakeKey(key);
  if (!index_key) return nullptr;
  const auto found = index_.find(*index_key);
  return found == index_.end() ? nullptr : &entries_[found->second].second;
}

bool Equal(const Value& left, const Value& right) {
  if (left.IsNull() || right.IsNull()) return left.IsNull() && right.IsNull();
  if (const List* a = left.AsList(), *b = right.AsList(); a != nullptr && b != nullptr) {
    return EqualLists(*a, *b);
  }
  if (const Map* a = left.AsMap(), *b = right.AsMap(); a != nullptr && b != nullptr) {
    return EqualMaps(*a, *b);
  }
  if (const auto equal = EqualValues<TypeValue>(left, right)) return *equal;
  const std::optional<std::partial_ordering> order = Compare(left, right);
  return order.has_value() && *order == 0;
}

std::optional<std::partial_ordering> Compare(const Value& left, const Value& right) {
  if (auto order = CompareAs<std::int64_t>(left, right)) return order;
  if (auto order = CompareAs<std::uint64_t>(left, right)) return order;
  if (auto order = CompareAs<double>(left, right)) return order;
  if (auto order = CompareAs<std::string>(left, right)) return order;
  if (auto order = CompareAs<Timestamp>(left, right)) return order;
  if (auto order = CompareAs<Duration>(left, right)) return order;
  if (auto order = CompareAs<bool>(left, right)) return order;
  if (auto order = CompareAs<Bytes>(left, right)) return order;
  if (auto order = CompareMixed(left, right)) return order;
  if (auto order = CompareMixed(right, left)) return Reverse(*order);
  return std::nullopt;
}

}  // namespace bindery::cel
