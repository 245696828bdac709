#include "web/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/time_text.h"

namespace bindery::web {
namespace {

constexpr double kWidth = 300;
constexpr double kHeight = 72;
constexpr double kMargin = 2;  ///< So that a line at the edge is not cut.

std::string Shown(const Chart& chart, double value) {
  return fmt::format("{:.{}f}{}", value, chart.decimals, chart.unit);
}

class Scale {
 public:
  Scale(const Chart& chart, double top)
      : first_(chart.points.front().time),
        span_(std::max(Seconds(chart.points.back().time), 1.0)),
        top_(top) {}

  [[nodiscard]] double X(WallTime time) const { return Seconds(time) / span_ * kWidth; }
  [[nodiscard]] double Y(double value) const {
    const double part = std::clamp(value / top_, 0.0, 1.0);
    return kMargin + (1 - part) * (kHeight - 2 * kMargin);
  }

 private:
  [[nodiscard]] double Seconds(WallTime time) const {
    return std::chrono::duration<double>(time - first_).count();
  }

  WallTime first_;
  double span_;
  double top_;
};

std::string MakeLine(const Chart& chart, const Scale& scale) {
  std::string line;
  double last = 0;
  for (const Chart::Point& point : chart.points) {
    const double x = scale.X(point.time);
    const double y = scale.Y(point.value);
    line += line.empty() ? fmt::format("M{:.1f} {:.1f}", x, y)
                         : fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", x, last, x, y);
    last = y;
  }
  if (chart.points.size() == 1) line += fmt::format("L{:.1f} {:.1f}", kWidth, last);
  return line;
}

}  // namespace

double RoundedUp(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

Html ChartFigure(const PageContext& context, const Chart& chart) {
  if (chart.points.empty()) {
    return El("figure", {{"class", "chart"}}, El("figcaption", {}, El("span", {}, chart.title)),
              El("p", {{"class", "nothing"}}, "Nothing was measured yet"));
  }
  const auto [least, most] = std::minmax_element(
      chart.points.begin(), chart.points.end(),
      [](const Chart::Point& a, const Chart::Point& b) { return a.value < b.value; });
  const std::string now = Shown(chart, chart.points.back().value);
  const std::string words =
      fmt::format("{}: {} now; since the start between {} and {}", chart.title, now,
                  Shown(chart, least->value), Shown(chart, most->value));
  const double top = std::max(RoundedUp(most->value), chart.least_top);
  const Scale scale(chart, top);
  const std::string line = MakeLine(chart, scale);
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(context.now -
                                                                         chart.points.front().time);
  const std::string bottom = fmt::format("{:.1f}", kHeight - kMargin);
  return El("figure", {{"class", "chart"}},
            El("figcaption", {}, El("span", {}, chart.title), El("b", {}, now)),
            El("svg",
               {{"viewBox", fmt::format("0 0 {} {}", kWidth, kHeight)},
                {"role", "img"},
                {"aria-label", words},
                {"preserveAspectRatio", "none"},
                {"focusable", "false"}},
               El("path", {{"class", "grid"},
                           {"d", fmt::format("M0 {0}H{1}M0 {2}H{1}", kMargin, kWidth, bottom)}}),
               El("path", {{"class", "area"},
                           {"d", line + fmt::format("L{} {}L0 {}Z", kWidth, bottom, bottom)}}),
               El("path", {{"class", "line"}, {"d", line}})),
            El("p", {{"class", "scale"}, {"aria-hidden", "true"}},
               El("span", {}, FormatAge(std::max(age, std::chrono::milliseconds(0))), " ago"),
               El("span", {}, "top ", Shown(chart, top)), El("span", {}, "now")));
}

}  // namespace bindery::web
