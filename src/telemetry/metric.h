#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/clock.h"

namespace prometheus {  // NOLINT(readability-identifier-naming): the library's spelling
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace bindery::telemetry {
class Families;
template <typename One>
class Series;

/// A value that distinguishes the series of a metric, with its text.
struct MetricLabel {
  std::vector<std::string> names;  ///< The labels that show it.
  /// Series with these values exist from the start, at zero; with further values once counted: a
  /// series that begins with the first event hides the event from rate().
  std::vector<std::string> values = {};
  bool kinds = false;  ///< The values from the start are MetricRegistry::kinds().
  bool lower_case = false;
};

/// The values of a series, in the order of the metric's MetricLabels.
using LabelValues = std::initializer_list<std::string_view>;

using Seconds = std::chrono::duration<double>;

/// The registry of metrics, in the order of output.
class MetricRegistry {
 public:
  /// `kinds`: the kinds whose series exist from the start, at zero.
  explicit MetricRegistry(std::vector<std::string> kinds);
  ~MetricRegistry();
  MetricRegistry(const MetricRegistry&) = delete;
  MetricRegistry& operator=(const MetricRegistry&) = delete;

  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }
  /// The metrics, which live as long as the registry.
  [[nodiscard]] Families& families() { return *families_; }

  /// The text exposition format. Thread-safe.
  [[nodiscard]] std::string Text() const;

 private:
  const std::vector<std::string> kinds_;
  std::unique_ptr<Families> families_;
};

// The sorts of metrics: one object is all series of one name, and further objects of the name are
// the same series. Thread-safe.

class Counter {
 public:
  Counter(MetricRegistry& registry, const char* name, const char* help,
          std::vector<MetricLabel> labels = {});
  ~Counter() = default;
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  void Increment(LabelValues series = {}) { Add(1, series); }

  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void Increment(Number by, LabelValues series = {}) { Add(static_cast<double>(by), series); }

  /// Of what is counted elsewhere. A counter does not go down.
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void RaiseTo(Number total, LabelValues series = {}) { Raise(static_cast<double>(total), series); }

 private:
  void Add(double by, LabelValues series);
  void Raise(double total, LabelValues series);

  Series<prometheus::Counter>& series_;  // The registry's.
};

class Gauge {
 public:
  Gauge(MetricRegistry& registry, const char* name, const char* help,
        std::vector<MetricLabel> labels = {});
  ~Gauge() = default;
  Gauge(const Gauge&) = delete;
  Gauge& operator=(const Gauge&) = delete;

  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void Set(Number value, LabelValues series = {}) { SetValue(static_cast<double>(value), series); }
  void Set(Seconds value, LabelValues series = {}) { SetValue(value.count(), series); }
  /// In seconds since 1970.
  void Set(WallTime time, LabelValues series = {}) {
    SetValue(Seconds(time.time_since_epoch()).count(), series);
  }
  void Increment(LabelValues series = {});
  void Decrement(LabelValues series = {});
  /// Sets every used series to zero.
  void Clear();

 private:
  void SetValue(double value, LabelValues series);

  Series<prometheus::Gauge>& series_;  // The registry's.
};

class Histogram {
 public:
  Histogram(MetricRegistry& registry, const char* name, const char* help,
            std::vector<MetricLabel> labels, std::vector<double> buckets);
  ~Histogram() = default;
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  void Observe(Seconds value, LabelValues series = {});

 private:
  Series<prometheus::Histogram>& series_;  // The registry's.
};

}  // namespace bindery::telemetry
