#pragma once

#include "core/clock.h"

namespace bindery {

/// The two clocks, read together.
struct Now {
  MonoTime mono;
  WallTime wall;
};

}  // namespace bindery
