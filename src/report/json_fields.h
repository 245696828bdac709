#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/json.h"

namespace bindery::report {

// Small pieces that reports are made of and read back from.

/// RFC 3339, or null for a time that was never set.
[[nodiscard]] Json TimeOrNull(WallTime time);

/// A stored JSON object; empty when the text is none.
[[nodiscard]] Json ObjectFromText(const std::string& text);

/// {"file", "line"}, or null for what is in no file.
[[nodiscard]] Json SourceJson(const std::string& file, int line);

/// The array member of that name; an empty array when there is none.
[[nodiscard]] const Json& ArrayMember(const Json& value, std::string_view name);
/// The object member of that name; an empty object when there is none.
[[nodiscard]] const Json& ObjectMember(const Json& value, std::string_view name);
[[nodiscard]] std::int64_t IntMember(const Json& value, std::string_view name);
[[nodiscard]] bool BoolMember(const Json& value, std::string_view name);

}  // namespace bindery::report
