#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// SHA-256 as 64 lower-case hex digits. The name of everything stored by its content.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

}  // namespace bindery
