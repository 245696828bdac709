#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cel/evaluation/time.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

// The first doubles that are no int and no uint.
inline constexpr double kTwoTo63 = 9223372036854775808.0;
inline constexpr double kTwoTo64 = 18446744073709551616.0;

class Value;
class List;
class Map;

/// The type of a value, itself a value: `type(1) == int`.
struct TypeValue {
  std::string name;
  bool operator==(const TypeValue&) const = default;
};

using ListPtr = std::shared_ptr<const List>;
using MapPtr = std::shared_ptr<const Map>;

/// The value of an expression. Immutable; lists and maps are shared, so that a copy is cheap.
class Value {
 public:
  using Data = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                            Bytes, Timestamp, Duration, ListPtr, MapPtr, TypeValue>;

  Value() = default;
  /// Of exactly these types: neither a literal of C nor a pointer becomes a bool.
  template <typename T>
  requires(std::same_as<T, bool> || std::same_as<T, std::int64_t> ||
           std::same_as<T, std::uint64_t> || std::same_as<T, double> ||
           std::same_as<T, std::string> || std::same_as<T, Bytes> || std::same_as<T, Timestamp> ||
           std::same_as<T, Duration> || std::same_as<T, TypeValue>)
      Value(T value)  // NOLINT(google-explicit-constructor): a result is returned as it is
      : data_(std::move(value)) {}
  explicit Value(const Constant& literal);

  [[nodiscard]] static Value OfList(std::vector<Value> items);
  /// The first entry of a key counts; Map says how to notice a second one.
  [[nodiscard]] static Value OfMap(Map map);

  /// The content when it is of the type, else nothing.
  template <typename T>
  [[nodiscard]] const T* As() const {
    return std::get_if<T>(&data_);
  }
  [[nodiscard]] const List* AsList() const;
  [[nodiscard]] const Map* AsMap() const;
  [[nodiscard]] bool IsNull() const { return std::holds_alternative<std::nullptr_t>(data_); }

  template <typename Visitor>
  void Visit(Visitor&& visitor) const {
    std::visit(std::forward<Visitor>(visitor), data_);
  }

  /// "int", "list", "google.protobuf.Timestamp", "null_type" …
  [[nodiscard]] std::string_view TypeName() const;

  /// The size for traversal: scalars count 1, texts more by their length, lists and maps the sum of
  /// their parts, shared parts each time. Limits equality and printing.
  [[nodiscard]] std::size_t Weight() const;
  /// The cost of a copy: the weight for texts, 1 for shared parts.
  [[nodiscard]] std::size_t CopyWeight() const;
  /// Levels of lists and maps.
  [[nodiscard]] int Depth() const;

 private:
  Data data_;
};

class List {
 public:
  explicit List(std::vector<Value> items);
  [[nodiscard]] const std::vector<Value>& items() const { return items_; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }

 private:
  friend class Value;
  std::vector<Value> items_;
  std::size_t weight_ = 1;
  int depth_ = 1;
};

/// Keys are bool, int, uint or string; numbers are the same key when they are equal, so `m[1]`,
/// `m[1u]` and `m[1.0]` find the same entry. Entries keep the order in which they were added.
class Map {
 public:
  [[nodiscard]] static bool IsKey(const Value& value);
  /// False, and nothing changes, when the key is there already or is of no type for keys.
  bool Add(Value key, Value value);
  /// Nothing when no such entry exists, as for every key of a type that no entry has.
  [[nodiscard]] const Value* Find(const Value& key) const;
  [[nodiscard]] const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  friend class Value;
  using Key = std::variant<bool, std::int64_t, std::uint64_t, std::string>;
  static std::optional<Key> MakeKey(const Value& value);

  std::vector<std::pair<Value, Value>> entries_;
  std::map<Key, std::size_t> index_;
  std::size_t weight_ = 1;
  int depth_ = 1;
};

/// Numbers are equal when they are mathematically, whatever their types; values of otherwise
/// different types are not equal; NaN equals nothing.
[[nodiscard]] bool Equal(const Value& left, const Value& right);

/// How two numbers, strings, bytes, bools, timestamps or durations compare with each other (NaN:
/// unordered); nothing when values of the types have no order.
[[nodiscard]] std::optional<std::partial_ordering> Compare(const Value& left, const Value& right);

/// The value as an expression would write it: `[1, 2u, "a"]`, `timestamp("…")`.
[[nodiscard]] std::string ToText(const Value& value);

/// The shortest text that reads back as the same number: "0.1", "1e+30", "NaN", "-Infinity".
[[nodiscard]] std::string NumberText(double value);

}  // namespace bindery::cel
