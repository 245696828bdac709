#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

/// Appends the JSON of values to a text: the same text that MakeJson() gives when it is dumped, but
/// without a tree for each value. For long lists.
class JsonTextWriter {
 public:
  /// `step`: blanks for each level; 0 for text without white space. `depth`: levels around the
  /// value.
  JsonTextWriter(std::string& out, std::size_t step, std::size_t depth)
      : out_(out), step_(step), depth_(depth) {}

  template <typename Value>
  void Append(const Value& value) {
    if constexpr (std::same_as<Value, std::string>) {
      AppendText(value);
    } else if constexpr (std::same_as<Value, bool>) {
      out_ += value ? "true" : "false";
    } else if constexpr (std::same_as<Value, WallTime>) {
      AppendTime(value);
    } else if constexpr (std::same_as<Value, Json>) {
      AppendTree(value);
    } else if constexpr (std::same_as<Value, GrantLine>) {
      AppendGrant(value);
    } else if constexpr (Described<Value> && !std::derived_from<Value, GrantLine>) {
      AppendFields(value);
    } else if constexpr (std::integral<Value>) {
      out_ += std::to_string(value);
    } else if constexpr (std::is_enum_v<Value>) {
      AppendText(ToString(value));
    } else {
      AppendTree(MakeJson(value));
    }
  }

  template <typename Value>
  void Append(const std::optional<Value>& value) {
    if (value) {
      Append(*value);
    } else {
      out_ += "null";
    }
  }

  template <typename Value>
  void Append(const std::vector<Value>& values) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Value& value : values) {
      BeginLine(std::exchange(first, false));
      Append(value);
    }
    End(first, ']');
  }

  template <typename Value>
  void Append(const std::map<std::string, Value>& values) {
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const auto& [name, value] : values) {
      AppendName(name, std::exchange(first, false));
      Append(value);
    }
    End(first, '}');
  }

 private:
  template <typename Struct>
  void AppendFields(const Struct& value) {
    out_ += '{';
    ++depth_;
    bool first = true;
    const auto write = [&]<typename Field>(const Field& field) {
      const auto& member = value.*field.value;
      if constexpr (Field::kIfSet) {
        if (!IsSet(member)) return;
      }
      AppendName(field.name, std::exchange(first, false));
      Append(member);
    };
    std::apply([&](const auto&... fields) { (write(fields), ...); }, kFields<Struct>);
    End(first, '}');
  }

  void AppendText(std::string_view text);
  void AppendTime(WallTime time);
  void AppendTree(const Json& tree);
  void AppendGrant(const GrantLine& line);
  void AppendName(std::string_view name, bool first);
  void BeginLine(bool first);
  void End(bool empty, char bracket);

  std::string& out_;
  const std::size_t step_;
  std::size_t depth_;
};

}  // namespace bindery::report
