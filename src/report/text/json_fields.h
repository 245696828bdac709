#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery::report {

// How what is stored as JSON is read: options, policies and the like.

/// A stored JSON object; empty when the text is none.
[[nodiscard]] Json ObjectFromText(const std::string& text);

/// The array member of the name; an empty array if none exists.
[[nodiscard]] const Json& ArrayMember(const Json& value, std::string_view name);
/// The object member of the name; an empty object if none exists.
[[nodiscard]] const Json& ObjectMember(const Json& value, std::string_view name);
[[nodiscard]] bool BoolMember(const Json& value, std::string_view name);

}  // namespace bindery::report
