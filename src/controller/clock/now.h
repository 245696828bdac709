#pragma once

#include "core/base/clock.h"

namespace bindery::controller {

/// The two clocks, read together.
struct Now {
  MonoTime mono;
  WallTime wall;
};

}  // namespace bindery::controller
