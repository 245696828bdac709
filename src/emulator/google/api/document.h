#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery::emulator {

/// The resource itself in its service's form: the seed's fields, and the fields of every such
/// resource.
[[nodiscard]] Json ShownDocument(std::string_view section, const std::string& name,
                                 const Json& seeded);

}  // namespace bindery::emulator
