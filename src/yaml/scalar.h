#pragma once

#include <optional>
#include <string_view>

#include "core/base/json.h"
#include "yaml/node.h"

namespace bindery::yaml {

/// The type of a plain (unquoted) scalar by the YAML 1.2 core schema, except for numbers with
/// leading zeros ("012"): these are strings, because YAML 1.1 reads octal numbers, and nobody means
/// octal.
[[nodiscard]] NodeKind ResolvePlain(std::string_view text);

/// The number a kInteger or kFloat scalar stands for; nothing when JSON has no such number.
[[nodiscard]] std::optional<Json> GetNumber(NodeKind kind, std::string_view text);

}  // namespace bindery::yaml
