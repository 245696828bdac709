#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bindery::bench {

/// What repeated runs gave.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// The median of an even number is the mean of the middle two; of no values all is NaN.
[[nodiscard]] Spread SpreadOf(std::vector<double> values);
/// The smallest value that `part` (0 to 1) of all do not exceed (nearest rank).
[[nodiscard]] double PercentileOf(std::vector<double> values, double part);
/// The quotients of values and floors measured in turns: machine weather hits both of a pair.
[[nodiscard]] Spread RatioOf(const std::vector<double>& values, const std::vector<double>& floors);

/// The cost of a workload at one size.
struct GrowthPoint {
  double size = 0;
  double cost = 0;  ///< Of all items together.
};

/// How a cost grows with the size.
struct Growth {
  std::string workload;  ///< "restart"
  std::string unit;      ///< Of a cost, scaled: "µs of CPU".
  std::string items;     ///< What the size counts: "bindings".
  double scale = 1;      ///< From the cost to the unit: 1e6 from seconds to µs.
  double noise = 0;      ///< Costs below this say nothing: what a process costs anyway.
  std::vector<GrowthPoint> points;
};

/// By how much the cost of one item may rise from one size to the next before it counts as
/// superlinear: far above noise, far below a factor ten of quadratic growth.
constexpr double kGrowthTolerance = 1.5;

/// The index of the first point whose cost per item exceeds that of the point before more than
/// tolerably; nothing when the growth is linear or better. A cost below the noise counts as the
/// noise.
[[nodiscard]] std::optional<std::size_t> SuperlinearStep(const Growth& growth);

/// The exponent of the growth of a cost: 0 for a cost that does not depend on the size, 1 for a
/// proportional one. The line of least squares through the logarithms; of less than two sizes NaN.
[[nodiscard]] double SlopeThrough(const std::vector<GrowthPoint>& points);

}  // namespace bindery::bench
