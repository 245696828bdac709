#pragma once

#include <string>

namespace bindery {

/// 32 random bytes as 43 characters of base64url: a secret that nobody guesses. Thread-safe.
[[nodiscard]] std::string RandomText();

}  // namespace bindery
