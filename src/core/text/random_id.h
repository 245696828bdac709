#pragma once

#include <string>

namespace bindery {

/// 32 hexadecimal digits that nobody else makes: 128 bits of the system's randomness. Thread-safe.
[[nodiscard]] std::string RandomId();

}  // namespace bindery
