#pragma once

#include <string>
#include <vector>

#include "core/base/clock.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

/// A line over time.
struct Chart {
  struct Point {
    WallTime time;
    double value = 0;
  };

  std::string title;
  std::string unit;  ///< After a value: " s", "%", or nothing.
  int decimals = 0;
  double least_top = 1;       ///< The top of the scale is at least that.
  std::vector<Point> points;  ///< Oldest first.
};

/// The next of 1, 2, 5, 10, … that is not less: the top of a scale.
[[nodiscard]] double RoundedUp(double value);

/// A figure: the title with the last value, the line, and in words what it shows. A chart of steps:
/// between two points the value is that of the first.
[[nodiscard]] Html ChartFigure(const PageContext& context, const Chart& chart);

}  // namespace bindery::web
