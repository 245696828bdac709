#include "harness/plot.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "harness/results.h"

namespace bindery::bench {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 360;
constexpr double kLeft = 96;
constexpr double kRight = 24;
constexpr double kTop = 44;
constexpr double kBottom = 56;

constexpr const char* kStyle =
    "<style>\n"
    "text{font:13px sans-serif;fill:#24292f}\n"
    ".title{font-weight:600;font-size:15px}\n"
    ".grid{stroke:#8c959f;stroke-opacity:.35}\n"
    ".line{stroke:#0969da;stroke-width:2.5;fill:none}\n"
    ".dot{fill:#0969da}\n"
    ".linear{stroke:#8c959f;stroke-dasharray:6 5;stroke-width:1.5}\n"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.line{stroke:#58a6ff}.dot{fill:#58a6ff}}\n"
    "</style>\n";

std::string Number(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string Attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + Number(value) + "\"";
}

/// 10000000 as "10 M".
std::string TickText(double value) {
  constexpr std::array<std::pair<double, const char*>, 3> kPrefixes = {
      {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [size, prefix] : kPrefixes) {
    if (value >= size * 0.999) return Digits(value / size) + prefix;
  }
  return Digits(value);
}

/// A logarithmic axis over whole decades.
class Axis {
 public:
  Axis(double least, double most, double begin, double end)
      : first_(std::floor(std::log10(least))),
        last_(std::max(std::ceil(std::log10(most)), first_ + 1)),
        begin_(begin),
        end_(end) {}

  [[nodiscard]] double At(double value) const {
    return begin_ + (std::log10(value) - first_) / (last_ - first_) * (end_ - begin_);
  }
  [[nodiscard]] std::vector<double> Ticks() const {
    std::vector<double> ticks;
    for (double decade = first_; decade <= last_; ++decade) ticks.push_back(std::pow(10, decade));
    return ticks;
  }

 private:
  double first_;
  double last_;
  double begin_;
  double end_;
};

std::string LineTag(const char* style, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + style + "\"" + Attribute("x1", x1) + Attribute("y1", y1) +
         Attribute("x2", x2) + Attribute("y2", y2) + "/>\n";
}

std::string Text(double x, double y, const std::string& anchor, const std::string& text,
                 const std::string& more = "") {
  return "<text" + Attribute("x", x) + Attribute("y", y) + " text-anchor=\"" + anchor + "\"" +
         more + ">" + text + "</text>\n";
}

std::string Frame(const Growth& growth, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double tick : x.Ticks()) {
    svg += LineTag("grid", x.At(tick), kTop, x.At(tick), kHeight - kBottom);
    svg += Text(x.At(tick), kHeight - kBottom + 18, "middle", TickText(tick));
  }
  for (const double tick : y.Ticks()) {
    svg += LineTag("grid", kLeft, y.At(tick), kWidth - kRight, y.At(tick));
    svg += Text(kLeft - 8, y.At(tick) + 4, "end", TickText(tick));
  }
  svg += Text(kLeft, 24, "start", growth.workload + ": cost by size", " class=\"title\"");
  svg += Text((kLeft + kWidth - kRight) / 2, kHeight - 14, "middle", growth.items);
  svg += Text(18, (kTop + kHeight - kBottom) / 2, "middle", growth.unit,
              " transform=\"rotate(-90 18 " + Number((kTop + kHeight - kBottom) / 2) + ")\"");
  svg += Text(kWidth - kRight, 24, "end", "dashed: proportional");
  return svg;
}

std::string Curve(const std::vector<GrowthPoint>& points, const Axis& x, const Axis& y) {
  std::string path;
  std::string dots;
  for (const GrowthPoint& point : points) {
    path += (path.empty() ? "M" : " L") + Number(x.At(point.size)) + " " + Number(y.At(point.cost));
    dots += "<circle class=\"dot\"" + Attribute("cx", x.At(point.size)) +
            Attribute("cy", y.At(point.cost)) + " r=\"4\"/>\n";
  }
  return "<path class=\"line\" d=\"" + path + "\"/>\n" + dots;
}

}  // namespace

std::string PlotOf(const Growth& growth) {
  std::vector<GrowthPoint> points;
  for (const GrowthPoint& point : growth.points) {
    // Nothing has no place on a logarithmic axis.
    if (point.cost > 0) points.push_back({point.size, point.cost * growth.scale});
  }
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\" width=\"640\" "
      "height=\"360\" role=\"img\" aria-label=\"" +
      growth.workload + ": cost by size\">\n" + kStyle;
  if (points.size() > 1) {
    const GrowthPoint& least = points.front();
    const GrowthPoint& most = points.back();
    const double proportional = most.cost / most.size * least.size;
    const Axis x(least.size, most.size, kLeft, kWidth - kRight);
    const Axis y(std::min(least.cost, proportional), most.cost, kHeight - kBottom, kTop);
    svg += Frame(growth, x, y);
    svg +=
        LineTag("linear", x.At(least.size), y.At(proportional), x.At(most.size), y.At(most.cost));
    svg += Curve(points, x, y);
  }
  return svg + "</svg>\n";
}

}  // namespace bindery::bench
