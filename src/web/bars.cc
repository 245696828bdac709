#include "web/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "web/chart.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

constexpr double kFieldWidth = 300;
constexpr double kFieldHeight = 72;
/// Of the room of a bar, the part that the bar takes.
constexpr double kFilled = 0.8;

/// A rectangle as part of a path. `low` and `high` are parts of the height, from 0 to 1.
std::string Block(double left, double width, double low, double high) {
  // What is there is seen, however small.
  constexpr double kThinnest = 1.5;
  const double height = std::max((high - low) * kFieldHeight, kThinnest);
  return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", left, kFieldHeight * (1 - low), width,
                     -height, width);
}

}  // namespace

Html BarFigure(const BarChart& chart) {
  double most = 0;
  for (const auto& bar : chart.bars) {
    if (bar) most = std::max(most, bar->most);
  }
  const double top = RoundedUp(most);
  const double room =
      kFieldWidth / static_cast<double>(std::max<std::size_t>(chart.bars.size(), 1));
  std::string least;
  std::string between;
  std::string gaps;
  double left = 0;
  for (const auto& bar : chart.bars) {
    if (!bar) {
      gaps += Block(left, room, 0, 1);
    } else {
      if (bar->least > 0) least += Block(left, room * kFilled, 0, bar->least / top);
      if (bar->most > bar->least) {
        between += Block(left, room * kFilled, bar->least / top, bar->most / top);
      }
    }
    left += room;
  }
  const auto path = [](Literal name, const std::string& shape) {
    return shape.empty() ? Html() : El("path", {{"class", std::string(name.view())}, {"d", shape}});
  };
  return El(
      "figure", {{"class", "chart"}},
      El("figcaption", {}, El("span", {}, chart.title), El("b", {}, chart.figure)),
      El("svg",
         {{"viewBox", fmt::format("0 0 {} {}", kFieldWidth, kFieldHeight)},
          {"role", "img"},
          {"aria-label", chart.words},
          {"preserveAspectRatio", "none"},
          {"focusable", "false"}},
         path("gap", gaps),
         El("path",
            {{"class", "grid"}, {"d", fmt::format("M0 {}H{}", kFieldHeight - 0.5, kFieldWidth)}}),
         path("between", between), path("bar", least)),
      El("p", {{"class", "scale"}, {"aria-hidden", "true"}}, El("span", {}, chart.first),
         El("span", {}, "top " + Figure(static_cast<std::int64_t>(top))), El("span", {}, "now")));
}

}  // namespace bindery::web
