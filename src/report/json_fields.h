#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery::report {

// How what is stored as JSON is read: options, policies and the like.

/// A stored JSON object; empty when the text is none.
[[nodiscard]] Json ObjectFromText(const std::string& text);

/// The array member of that name; an empty array when there is none.
[[nodiscard]] const Json& ArrayMember(const Json& value, std::string_view name);
/// The object member of that name; an empty object when there is none.
[[nodiscard]] const Json& ObjectMember(const Json& value, std::string_view name);
[[nodiscard]] bool BoolMember(const Json& value, std::string_view name);

}  // namespace bindery::report
