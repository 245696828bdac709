#pragma once

#include <string>

#include "core/base/clock.h"

namespace bindery::report {

/// How a text is to look.
struct TextStyle {
  bool colour = false;  ///< ANSI escapes; for terminals.
  int width = 0;        ///< Of the terminal: wide values are cut with "…". 0: nothing is cut.
  WallTime now;         ///< What ages are counted from.
  bool wide = false;    ///< Also what is of use now and then only.
  bool titles = true;   ///< Of tables.
};

}  // namespace bindery::report
