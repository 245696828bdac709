#include "telemetry/metric_shapes.h"

#include <utility>

#include "core/access/drift.h"
#include "core/access/status.h"
#include "core/access/work.h"
#include "core/settings/accepted_drift.h"
#include "telemetry/notification_metrics.h"

namespace bindery::telemetry {
namespace label {
namespace {

/// The words of the values.
template <typename Enums>
std::vector<std::string> MakeWords(const Enums& values) {
  std::vector<std::string> words;
  for (const auto value : values) words.emplace_back(ToString(value));
  return words;
}

}  // namespace

MetricLabel Kind() { return {.names = {"kind"}, .kinds = true}; }
MetricLabel Controller() { return {.names = {"controller"}, .kinds = true, .lower_case = true}; }
MetricLabel Queue() { return {.names = {"name", "controller"}, .kinds = true, .lower_case = true}; }
MetricLabel DriftClass() { return Of("class", MakeWords(kAllDriftClasses)); }
MetricLabel AcceptableClass() {
  MetricLabel label = {.names = {"class"}};
  for (const bindery::DriftClass drift_class : kAllDriftClasses) {
    if (IsAcceptable(drift_class)) label.values.emplace_back(ToString(drift_class));
  }
  return label;
}
MetricLabel Severity() { return Of("severity", MakeWords(kAllSeverities)); }
MetricLabel Cause() { return Of("cause", MakeWords(kAllDriftCauses)); }
MetricLabel Result() { return Of("result", MakeWords(kAllWorkResults)); }
MetricLabel State() {
  MetricLabel label = Of("state", MakeWords(kAllResourceStates));
  label.values.emplace_back("held");
  label.lower_case = true;
  return label;
}
MetricLabel Outcome() { return Of("outcome", MakeWords(kAllNotificationOutcomes)); }
MetricLabel Of(const char* name, std::vector<std::string> values) {
  return {.names = {name}, .values = std::move(values)};
}

}  // namespace label

namespace buckets {

std::vector<double> Reconcile() {
  return {0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
          0.7,   0.8,  0.9,   1.0,  1.25, 1.5,  1.75, 2.0,  2.5, 3.0,  3.5, 4.0,  4.5, 5,
          6,     7,    8,     9,    10,   15,   20,   25,   30,  40,   50,  60};
}

std::vector<double> Queue() {
  return {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000};
}

std::vector<double> Lateness() {
  return {0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600};
}

std::vector<double> Api() {
  return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};
}

std::vector<double> Commit() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};
}

}  // namespace buckets
}  // namespace bindery::telemetry
