#include "harness/results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace bindery::bench {
namespace {

using Line = std::vector<std::string>;

Json ToJson(const Spread& spread) {
  return {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}};
}

Json ToJson(const Figure& figure) {
  Json json = {{"workload", figure.workload},
               {"figure", figure.what},
               {"unit", figure.unit},
               {"value", ToJson(figure.value)}};
  if (figure.floor) json["floor"] = ToJson(*figure.floor);
  if (figure.ratio) json["ratio"] = ToJson(*figure.ratio);
  if (figure.most_ratio) json["targetRatio"] = *figure.most_ratio;
  if (figure.most_value) json["target"] = *figure.most_value;
  if (figure.has_target()) json["met"] = figure.met();
  return json;
}

Json ToJson(const Growth& growth) {
  Json points = Json::array();
  for (const GrowthPoint& point : growth.points) {
    points.push_back({{"size", point.size},
                      {"cost", point.cost * growth.scale},
                      {"perItem", point.cost / point.size * growth.scale}});
  }
  return {{"workload", growth.workload},
          {"items", growth.items},
          {"unit", growth.unit},
          {"points", points},
          {"superlinear", SuperlinearStep(growth).has_value()}};
}

Json ToJson(const Slope& slope) {
  Json points = Json::array();
  for (const GrowthPoint& point : slope.points) {
    points.push_back({{"size", point.size}, {"cost", point.cost}});
  }
  return {{"workload", slope.workload}, {"answer", slope.what}, {"unit", slope.unit},
          {"items", slope.items},       {"points", points},     {"slope", slope.value()},
          {"target", slope.most},       {"met", slope.met()}};
}

Json ToJson(const PeerRun& run) {
  return {{"tool", run.tool},
          {"work", run.work},
          {"wallSeconds", run.wall_seconds},
          {"cpuSeconds", run.cpu_seconds},
          {"peakBytes", run.peak_bytes},
          {"reads", run.reads},
          {"writes", run.writes}};
}

std::string RangeText(const Spread& spread) {
  if (std::isnan(spread.median)) return "";
  return Digits(spread.min) + "–" + Digits(spread.max);
}

std::string ValueText(const Figure& figure) {
  const std::string digits = Digits(figure.value.median);
  return std::isnan(figure.value.median) ? digits : digits + " " + figure.unit;
}

std::string TargetText(const Figure& figure) {
  if (figure.most_ratio) return "≤ " + Digits(*figure.most_ratio) + " ×";
  if (figure.most_value) return "≤ " + Digits(*figure.most_value);
  return "";
}

Line ToLine(const Figure& figure) {
  return {figure.workload,
          figure.what,
          ValueText(figure),
          RangeText(figure.value),
          figure.floor ? Digits(figure.floor->median) + " " + figure.unit : "",
          figure.ratio ? Digits(figure.ratio->median) : "",
          TargetText(figure),
          figure.has_target() ? (figure.met() ? "yes" : "NO") : ""};
}

/// Characters, not bytes, of UTF-8.
std::size_t WidthOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6U) != 2; }));
}

std::string Render(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(line[i]));
    }
  }
  std::string text;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += "| " + lines[row][i] + std::string(widths[i] - WidthOf(lines[row][i]) + 1, ' ');
    }
    text += "|\n";
    if (row != 0) continue;
    for (const std::size_t width : widths) text += "| " + std::string(width, '-') + " ";
    text += "|\n";
  }
  return text;
}

}  // namespace

bool Figure::met() const {
  if (most_ratio) return ratio && ratio->median <= *most_ratio;
  return !most_value || value.median <= *most_value;
}

double Slope::value() const {
  std::vector<GrowthPoint> audible = points;
  for (GrowthPoint& point : audible) point.cost = std::max(point.cost, noise);
  return SlopeThrough(audible);
}

Figure Plain(std::string what, std::string unit, const std::vector<double>& values) {
  Figure figure;
  figure.what = std::move(what);
  figure.unit = std::move(unit);
  figure.value = SpreadOf(values);
  return figure;
}

Figure Against(std::string what, std::string unit, const std::vector<double>& values,
               const std::vector<double>& floors) {
  Figure figure = Plain(std::move(what), std::move(unit), values);
  figure.floor = SpreadOf(floors);
  figure.ratio = RatioOf(values, floors);
  return figure;
}

Figure AtMost(Figure figure, double value) {
  figure.most_value = value;
  return figure;
}

Figure AtMostTimes(Figure figure, double ratio) {
  figure.most_ratio = ratio;
  return figure;
}

Json ToJson(const Results& results) {
  Json figures = Json::array();
  for (const Figure& figure : results.figures) figures.push_back(ToJson(figure));
  Json growths = Json::array();
  for (const Growth& growth : results.growths) growths.push_back(ToJson(growth));
  Json slopes = Json::array();
  for (const Slope& slope : results.slopes) slopes.push_back(ToJson(slope));
  Json peers = Json::array();
  for (const PeerRun& run : results.peers) peers.push_back(ToJson(run));
  return {{"date", results.date}, {"machine", results.machine}, {"figures", figures},
          {"growth", growths},    {"slopes", slopes},           {"peers", peers}};
}

std::string FigureTable(const Results& results, const std::string& workload) {
  std::vector<Line> lines = {
      {"workload", "figure", "median", "spread", "floor", "ratio", "target", "met"}};
  for (const Figure& figure : results.figures) {
    if (workload.empty() || figure.workload == workload) lines.push_back(ToLine(figure));
  }
  return Render(lines);
}

std::string GrowthTable(const std::vector<Growth>& growths) {
  std::vector<Line> lines = {{"growth of", "size", "one item", "× the size before", "linear"}};
  for (const Growth& growth : growths) {
    const auto step = SuperlinearStep(growth);
    for (std::size_t i = 0; i < growth.points.size(); ++i) {
      const GrowthPoint& point = growth.points[i];
      const double each = point.cost / point.size * growth.scale;
      std::string change;
      if (i > 0) {
        const GrowthPoint& before = growth.points[i - 1];
        change = Digits(each / (before.cost / before.size * growth.scale));
      }
      lines.push_back({growth.workload, Digits(point.size) + " " + growth.items,
                       Digits(each) + " " + growth.unit, change, step == i ? "NO" : "yes"});
    }
  }
  return Render(lines);
}

std::string SlopeTable(const std::vector<Slope>& slopes, const std::string& workload) {
  std::vector<Line> lines;
  for (const Slope& slope : slopes) {
    if (!workload.empty() && slope.workload != workload) continue;
    if (lines.empty()) {
      lines.push_back({"cost of"});
      for (const GrowthPoint& point : slope.points) {
        lines.front().push_back(Digits(point.size) + " " + slope.items);
      }
      for (const char* title : {"slope", "target", "met"}) lines.front().emplace_back(title);
    }
    Line line = {slope.what};
    for (const GrowthPoint& point : slope.points) {
      line.push_back(Digits(point.cost) + " " + slope.unit);
    }
    line.push_back(Digits(slope.value()));
    line.push_back("≤ " + Digits(slope.most));
    line.emplace_back(slope.met() ? "yes" : "NO");
    lines.push_back(std::move(line));
  }
  return lines.empty() ? "" : Render(lines);
}

std::string PeerTable(const std::vector<PeerRun>& runs) {
  std::vector<Line> lines = {
      {"tool", "work", "wall", "CPU", "peak memory", "reads", "writes", "CPU a policy"}};
  for (const PeerRun& run : runs) {
    const auto reads = static_cast<double>(run.reads);
    lines.push_back({run.tool, run.work, Digits(run.wall_seconds) + " s",
                     Digits(run.cpu_seconds) + " s", Digits(run.peak_bytes / (1 << 20)) + " MiB",
                     Digits(reads), Digits(static_cast<double>(run.writes)),
                     Digits(run.cpu_seconds / std::max(reads, 1.0) * 1000) + " ms"});
  }
  return Render(lines);
}

std::string Digits(double value) {
  if (std::isnan(value)) return "n/a";
  if (value == 0) return "0";
  std::array<char, 64> buffer = {};
  const double size = std::fabs(value);
  const int decimals =
      size >= 100 ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6);
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  std::string text = buffer.data();
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

}  // namespace bindery::bench
