#pragma once

#include <chrono>

#include "core/clock.h"
#include "core/target_key.h"

namespace bindery::testing {

// What tests are about to which any target and any time will do.
inline const TargetKey kA(Target{"K", "", "a"});
inline const TargetKey kB(Target{"K", "", "b"});
inline const MonoTime kStart = MonoTime(std::chrono::hours(1));

}  // namespace bindery::testing
