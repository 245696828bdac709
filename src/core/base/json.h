#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery {

/// A JSON value that keeps its members in the order of reading or adding: a policy goes back to its
/// cloud, and a report to its reader, in the original order.
using Json = nlohmann::ordered_json;

/// Parses one JSON text. kInvalidArgument with the offset of the fault; nesting deeper than
/// `max_depth` is refused. Never throws.
[[nodiscard]] Expected<Json> ParseJson(std::string_view text, std::size_t max_depth = 64);

/// One spelling for equal values: members sorted by name, no white space. For digests and
/// comparison.
[[nodiscard]] std::string CanonicalJson(const Json& value);

/// The member of the name when `value` is an object and has it; else nullptr.
[[nodiscard]] const Json* FindMember(const Json& value, std::string_view name);

/// The value at the end of a path of member names; nullptr if none exists.
[[nodiscard]] const Json* FindPath(const Json& value, std::initializer_list<std::string_view> path);

/// The string member of the name; empty when it is absent or not a string.
[[nodiscard]] std::string StringMember(const Json& value, std::string_view name);

}  // namespace bindery
