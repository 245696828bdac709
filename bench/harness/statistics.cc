#include "harness/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bindery::bench {

Spread SpreadOf(std::vector<double> values) {
  if (values.empty()) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {kUnknown, kUnknown, kUnknown};
  }
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

double PercentileOf(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(part * static_cast<double>(values.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return values[std::min(index, values.size() - 1)];
}

Spread RatioOf(const std::vector<double>& values, const std::vector<double>& floors) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(values.size(), floors.size()); ++i) {
    ratios.push_back(values[i] / floors[i]);
  }
  return SpreadOf(std::move(ratios));
}

std::optional<std::size_t> SuperlinearStep(const Growth& growth) {
  for (std::size_t i = 1; i < growth.points.size(); ++i) {
    const GrowthPoint& before = growth.points[i - 1];
    const GrowthPoint& after = growth.points[i];
    const double each_before = std::max(before.cost, growth.noise) / before.size;
    if (after.cost / after.size > kGrowthTolerance * each_before) return i;
  }
  return std::nullopt;
}

double SlopeThrough(const std::vector<GrowthPoint>& points) {
  if (points.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  double size_mean = 0;
  double cost_mean = 0;
  for (const GrowthPoint& point : points) {
    size_mean += std::log(point.size) / static_cast<double>(points.size());
    cost_mean += std::log(point.cost) / static_cast<double>(points.size());
  }
  double both = 0;
  double sizes = 0;
  for (const GrowthPoint& point : points) {
    const double from_mean = std::log(point.size) - size_mean;
    both += from_mean * (std::log(point.cost) - cost_mean);
    sizes += from_mean * from_mean;
  }
  return both / sizes;
}

}  // namespace bindery::bench
