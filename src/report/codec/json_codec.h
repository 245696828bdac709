#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cel/evaluation/time.h"
#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/status.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::report {

// A report is a struct, and one list of fields describes its JSON for both directions:
//
//   template <>
//   inline constexpr auto kFields<EventLine> =
//       std::tuple{Field{"id", &EventLine::id},
//                  FieldIfSet{"note", &EventLine::note}};
//
// ToJson(line) writes it, FromJson<EventLine>(json) reads it. The value of a field is a text, a
// number, a truth, a time, an enum with ToString(), a described struct, `Json` as it is, or a
// vector, a map or an optional of these. Other types have their own ToJson() and ReadJson(). The
// fields of a struct that extends GrantLine follow the members of the grant.

/// A member of a JSON object: null where its value is not set.
template <typename Struct, typename Value>
struct Field {
  static constexpr bool kIfSet = false;
  std::string_view name;
  Value Struct::*value;
};
template <typename Struct, typename Value>
Field(const char*, Value Struct::*) -> Field<Struct, Value>;

/// A member that is left out where its value is not set: an empty text or list, null, or no value.
template <typename Struct, typename Value>
struct FieldIfSet {
  static constexpr bool kIfSet = true;
  std::string_view name;
  Value Struct::*value;
};
template <typename Struct, typename Value>
FieldIfSet(const char*, Value Struct::*) -> FieldIfSet<Struct, Value>;

/// The fields of a struct, in the order of its JSON. A struct with a base begins with the fields of
/// the base: std::tuple_cat(kFields<Base>, std::tuple{…}).
template <typename Struct>
inline constexpr auto kFields = nullptr;

template <typename Struct>
concept Described = !std::same_as<std::remove_cv_t<decltype(kFields<Struct>)>, std::nullptr_t>;

/// All values of an enum: the values known to readers.
template <typename Enum>
inline constexpr auto kAllOf = nullptr;
template <>
inline constexpr auto kAllOf<Severity> = kAllSeverities;
template <>
inline constexpr auto kAllOf<DriftClass> = kAllItemClasses;
template <>
inline constexpr auto kAllOf<DriftCause> = kAllDriftCauses;
template <>
inline constexpr auto kAllOf<ResourceState> = kAllResourceStates;

/// A value of a closed set, from a different program, that is only shown. A newer program may send
/// an unknown value: it is kept and shown as text. A plain enum is refused then: see FromJson().
template <typename Enum>
class Word {
 public:
  Word() = default;
  Word(Enum value) : value_(value) {}  // NOLINT(google-explicit-constructor): it is that value
  explicit Word(std::string_view text) : other_(text) {
    for (const Enum value : kAllOf<Enum>) {
      if (ToString(value) != text) continue;
      value_ = value;
      other_.clear();
    }
  }

  bool operator==(const Word&) const = default;
  bool operator==(Enum value) const { return value_ == value; }

  [[nodiscard]] std::string text() const {
    return value_ ? std::string(ToString(*value_)) : other_;
  }
  /// Nothing: an unknown value.
  [[nodiscard]] std::optional<Enum> value() const { return value_; }

 private:
  std::optional<Enum> value_;
  std::string other_;  ///< Where it is none of them.
};

/// A grant in the words of the kind.
struct GrantLine {
  Grant grant;
  GrantWords words;
};

// MakeJson() writes a value. ReadJson() reads the value; for JSON of a different form the value
// stays unchanged, and the result is false.

[[nodiscard]] Json MakeJson(WallTime time);  ///< RFC 3339; null for a time that was never set.
bool ReadJson(const Json& json, WallTime& value);
[[nodiscard]] Json MakeJson(const cel::Timestamp& time);
bool ReadJson(const Json& json, cel::Timestamp& value);
[[nodiscard]] Json MakeJson(const GrantLine& line);
bool ReadJson(const Json& json, GrantLine& value);
bool ReadJson(const Json& json, std::string& value);
bool ReadJson(const Json& json, bool& value);
bool ReadJson(const Json& json, Json& value);

template <typename Value>
[[nodiscard]] Json MakeJson(const Value& value);
template <typename Value>
bool ReadJson(const Json& json, Value& value);
template <typename Value>
[[nodiscard]] Json MakeJson(const std::vector<Value>& values);
template <typename Value>
bool ReadJson(const Json& json, std::vector<Value>& values);

template <typename Enum>
[[nodiscard]] Json MakeJson(const Word<Enum>& word) {
  return word.text();
}

template <typename Enum>
bool ReadJson(const Json& json, Word<Enum>& value) {
  if (!json.is_string()) return false;
  value = Word<Enum>(json.get_ref<const std::string&>());
  return true;
}

template <typename Value>
[[nodiscard]] Json MakeJson(const std::optional<Value>& value) {
  return value ? MakeJson(*value) : Json();
}

template <typename Value>
bool ReadJson(const Json& json, std::optional<Value>& value) {
  Value read{};
  if (!ReadJson(json, read)) return false;
  value = std::move(read);
  return true;
}

template <typename Value>
Json MakeJson(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(MakeJson(value));
  return list;
}

/// Elements of a different form are left out.
template <typename Value>
bool ReadJson(const Json& json, std::vector<Value>& values) {
  if (!json.is_array()) return false;
  values.clear();
  for (const Json& element : json) {
    if (Value value{}; ReadJson(element, value)) values.push_back(std::move(value));
  }
  return true;
}

template <typename Map>
concept MapByName = std::same_as<typename Map::key_type, std::string> && requires {
  typename Map::mapped_type;
};

template <typename Value>
[[nodiscard]] bool IsSet(const Value& value) {
  if constexpr (std::same_as<Value, Json>) {
    return !value.is_null();
  } else if constexpr (requires { value.empty(); }) {
    return !value.empty();
  } else {
    return value.has_value();
  }
}

template <typename Value>
Json MakeJson(const Value& value) {
  if constexpr (Described<Value>) {
    Json json = Json::object();
    if constexpr (std::derived_from<Value, GrantLine>) {
      json = MakeJson(static_cast<const GrantLine&>(value));
    }
    const auto write = [&]<typename Field>(const Field& field) {
      const auto& member = value.*field.value;
      if constexpr (Field::kIfSet) {
        if (!IsSet(member)) return;
      }
      json.emplace(field.name, MakeJson(member));
    };
    std::apply([&](const auto&... fields) { (write(fields), ...); }, kFields<Value>);
    return json;
  } else if constexpr (std::is_enum_v<Value>) {
    return ToString(value);
  } else if constexpr (requires { ToJson(value); }) {
    return ToJson(value);
  } else if constexpr (MapByName<Value>) {
    Json json = Json::object();
    for (const auto& [name, element] : value) json.emplace(name, MakeJson(element));
    return json;
  } else {
    return value;  // nlohmann knows texts and numbers, and a number too large is none of ours.
  }
}

/// A number of a different form or size is not read.
template <typename Number>
bool ReadNumber(const Json& json, Number& value) {
  if constexpr (std::integral<Number>) {
    const bool negative_fits = json.is_number_integer() && !json.is_number_unsigned() &&
                               std::in_range<Number>(json.get<std::int64_t>());
    const bool positive_fits =
        json.is_number_unsigned() && std::in_range<Number>(json.get<std::uint64_t>());
    if (!negative_fits && !positive_fits) return false;
  } else {
    static_assert(std::floating_point<Number>, "a type of its own has its own ReadJson()");
    if (!json.is_number()) return false;
  }
  value = json.get<Number>();
  return true;
}

template <typename Enum>
bool ReadEnum(const Json& json, Enum& value) {
  for (const Enum known : kAllOf<Enum>) {
    if (json != ToString(known)) continue;
    value = known;
    return true;
  }
  return false;
}

/// Missing members, and members of a different form, leave their fields unchanged, and unknown
/// members are ignored: the writer may be a newer program.
template <typename Value>
bool ReadJson(const Json& json, Value& value) {
  if constexpr (Described<Value>) {
    if (!json.is_object()) return false;
    if constexpr (std::derived_from<Value, GrantLine>) {
      ReadJson(json, static_cast<GrantLine&>(value));
    }
    const auto read = [&](const auto& field) {
      if (const Json* member = FindMember(json, field.name)) ReadJson(*member, value.*field.value);
    };
    std::apply([&](const auto&... fields) { (read(fields), ...); }, kFields<Value>);
    return true;
  } else if constexpr (std::is_enum_v<Value>) {
    return ReadEnum(json, value);
  } else if constexpr (MapByName<Value>) {
    if (!json.is_object()) return false;
    value.clear();
    for (const auto& [name, element] : json.items()) {
      if (typename Value::mapped_type read{}; ReadJson(element, read)) {
        value.emplace(name, std::move(read));
      }
    }
    return true;
  } else {
    return ReadNumber(json, value);
  }
}

/// Names the type of the value that UnknownWord() looks for.
template <typename Value>
struct GetType {};

/// The first text that is no value of its enum: `action: "archive" (known: create, update)`, with
/// the path of its members. Empty: there is none. A type with its own ReadJson() that reads such a
/// text has a static UnknownWord(json).
template <typename Value>
[[nodiscard]] std::string UnknownWord(const Json& json, GetType<Value> type);

/// `"archive" (known: create, update)`.
[[nodiscard]] std::string NotAmong(std::string_view word,
                                   const std::vector<std::string_view>& known);

template <typename Value>
[[nodiscard]] std::string UnknownWord(const Json& json, GetType<std::optional<Value>> /*type*/) {
  return UnknownWord(json, GetType<Value>());
}

template <typename Value>
[[nodiscard]] std::string UnknownWord(const Json& json, GetType<std::vector<Value>> /*type*/) {
  if (!json.is_array()) return {};
  for (const Json& element : json) {
    std::string found = UnknownWord(element, GetType<Value>());
    if (!found.empty()) return found;
  }
  return {};
}

template <typename Value>
[[nodiscard]] std::string UnknownWord(const Json& json,
                                      GetType<std::map<std::string, Value>> /*type*/) {
  if (!json.is_object()) return {};
  for (const Json& element : json) {
    std::string found = UnknownWord(element, GetType<Value>());
    if (!found.empty()) return found;
  }
  return {};
}

/// UnknownWord() of one member.
template <typename Member>
[[nodiscard]] std::string UnknownWordOfMember(const Json& json, std::string_view name) {
  const Json* member = FindMember(json, name);
  std::string found = member == nullptr ? std::string() : UnknownWord(*member, GetType<Member>());
  if (found.empty()) return found;
  return std::string(name) + (found.starts_with('"') ? ": " : ".") + found;
}

template <typename Enum>
[[nodiscard]] std::string UnknownWordOfEnum(const Json& json) {
  if (Enum value{}; !json.is_string() || ReadEnum(json, value)) return {};
  std::vector<std::string_view> known;
  for (const Enum value : kAllOf<Enum>) known.push_back(ToString(value));
  return NotAmong(json.get_ref<const std::string&>(), known);
}

template <typename Value>
std::string UnknownWord(const Json& json, GetType<Value> /*type*/) {
  std::string found;
  if constexpr (requires { Value::UnknownWord(json); }) {
    found = Value::UnknownWord(json);
  } else if constexpr (Described<Value>) {
    const auto look = [&]<typename Struct, typename Member>(std::string_view name,
                                                            Member Struct::* /*member*/) {
      if (found.empty()) found = UnknownWordOfMember<Member>(json, name);
    };
    std::apply([&](const auto&... fields) { (look(fields.name, fields.value), ...); },
               kFields<Value>);
  } else if constexpr (std::is_enum_v<Value>) {
    found = UnknownWordOfEnum<Value>(json);
  }
  return found;
}

/// kFailedPrecondition: a newer program wrote the JSON.
[[nodiscard]] Error ErrorOfUnknownWord(const std::string& word);

/// The JSON of a report, or of a part of one.
template <Described Struct>
[[nodiscard]] Json ToJson(const Struct& value) {
  return MakeJson(value);
}

/// Reads the struct. Missing members keep the values of a new struct. kFailedPrecondition, with the
/// text and the known ones, where a text is no value of its enum: no other value may stand in.
template <Described Struct>
[[nodiscard]] Expected<Struct> FromJson(const Json& json) {
  const std::string unknown = UnknownWord(json, GetType<Struct>());
  if (!unknown.empty()) return Fail(ErrorOfUnknownWord(unknown));
  Struct value{};
  ReadJson(json, value);
  return value;
}

}  // namespace bindery::report
