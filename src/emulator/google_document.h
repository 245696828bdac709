#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery::emulator {

/// The resource itself as its service shows it: what the seed says of it, and the fields that every
/// such resource has.
[[nodiscard]] Json ShownDocument(std::string_view section, const std::string& name,
                                 const Json& seeded);

/// The top-level members a `fields` parameter names ("etag,bindings(role)"); all of them for "*".
/// Deeper selections keep their whole member.
[[nodiscard]] Json SelectFields(const Json& document, std::string_view fields);

}  // namespace bindery::emulator
