#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "harness/statistics.h"

namespace bindery::bench {

/// One measured figure.
struct Figure {
  std::string workload;
  std::string what;  ///< "10,000 targets, 20 ms, 256 in flight"
  std::string unit;
  Spread value;
  std::optional<Spread> floor = {};
  std::optional<Spread> ratio = {};       ///< To the floor.
  std::optional<double> most_ratio = {};  ///< The target: at most so many times the floor.
  std::optional<double> most_value = {};  ///< Or at most this.

  [[nodiscard]] bool has_target() const { return most_ratio || most_value; }
  [[nodiscard]] bool met() const;
};

/// A figure without a floor, measured several times; without values it is one that could not be
/// measured here ("n/a", null as JSON).
[[nodiscard]] Figure Plain(std::string what, std::string unit, const std::vector<double>& values);
/// A figure measured in turns with its floor; both have the same unit.
[[nodiscard]] Figure Against(std::string what, std::string unit, const std::vector<double>& values,
                             const std::vector<double>& floors);
[[nodiscard]] Figure AtMost(Figure figure, double value);
[[nodiscard]] Figure AtMostTimes(Figure figure, double ratio);

/// How the cost of one answer grows with the number of things on record.
struct Slope {
  std::string workload;
  std::string what;   ///< "one resource"
  std::string unit;   ///< "µs"
  std::string items;  ///< What the size counts: "resources".
  double most = 0;    ///< Of the slope.
  /// A cost below counts as this: of what costs nothing the slope is that of the noise.
  double noise = 0;
  std::vector<GrowthPoint> points;

  [[nodiscard]] double value() const;
  [[nodiscard]] bool met() const { return value() <= most; }
};

/// What a tool took for a piece of work.
struct PeerRun {
  std::string tool;
  std::string work;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double peak_bytes = 0;
  std::size_t reads = 0;
  std::size_t writes = 0;
};

/// What a run of the harness found.
struct Results {
  std::string date;
  std::string machine;
  std::vector<Figure> figures;
  std::vector<Growth> growths;
  std::vector<Slope> slopes;
  std::vector<PeerRun> peers;
};

[[nodiscard]] Json ToJson(const Results& results);

/// The figures of one workload (all of them when empty) as a table: aligned for people, and valid
/// Markdown.
[[nodiscard]] std::string FigureTable(const Results& results, const std::string& workload = "");
/// One line a size: cost of all, cost per item, and how it relates to the size before.
[[nodiscard]] std::string GrowthTable(const std::vector<Growth>& growths);

/// One line an answer (of one workload; of all when empty): its cost at each size, and the slope.
[[nodiscard]] std::string SlopeTable(const std::vector<Slope>& slopes,
                                     const std::string& workload = "");

/// One line a tool and work.
[[nodiscard]] std::string PeerTable(const std::vector<PeerRun>& runs);

/// 0.00123 as "0.00123", 12345.6 as "12,346": three digits, thousands in groups; "n/a" for NaN.
[[nodiscard]] std::string Digits(double value);

}  // namespace bindery::bench
