#pragma once

#include <chrono>

#include "core/access/target_key.h"
#include "core/base/clock.h"

namespace bindery::testing {

// What tests are about to which any target and any time will do.
inline const TargetKey kA(Target{"K", "", "a"});
inline const TargetKey kB(Target{"K", "", "b"});
inline const MonoTime kStart = MonoTime(std::chrono::hours(1));

}  // namespace bindery::testing
