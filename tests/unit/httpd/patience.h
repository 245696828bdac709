#pragma once

#include <chrono>

namespace bindery::testing {

/// How long a test waits for what happens at once on a machine that has nothing else to do.
inline constexpr std::chrono::seconds kPatience(20);

}  // namespace bindery::testing
