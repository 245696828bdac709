#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery::emulator {

/// The resource itself as its service shows it: what the seed says of it, and the fields that every
/// such resource has.
[[nodiscard]] Json ShownDocument(std::string_view section, const std::string& name,
                                 const Json& seeded);

}  // namespace bindery::emulator
