#pragma once

#include <string>
#include <vector>

#include "telemetry/metric.h"

namespace bindery::telemetry {

/// The labels of several metrics.
namespace label {

[[nodiscard]] MetricLabel Kind();
/// The kind in lower case, as controller-runtime has it.
[[nodiscard]] MetricLabel Controller();
/// The same, as the workqueue_ family shows it: `controller` and `name`.
[[nodiscard]] MetricLabel Queue();
[[nodiscard]] MetricLabel DriftClass();
/// The acceptable classes of drift.
[[nodiscard]] MetricLabel AcceptableClass();
[[nodiscard]] MetricLabel Severity();
[[nodiscard]] MetricLabel Cause();
/// The result of a reconciliation.
[[nodiscard]] MetricLabel Result();
/// The state of a resource, or "held".
[[nodiscard]] MetricLabel State();
/// The outcome of an event on its way to a webhook.
[[nodiscard]] MetricLabel Outcome();
/// A label with the values from the start.
[[nodiscard]] MetricLabel Of(const char* name, std::vector<std::string> values = {});

}  // namespace label

/// The upper bounds of histograms, in seconds.
namespace buckets {

/// Of controller_runtime_reconcile_time_seconds.
[[nodiscard]] std::vector<double> Reconcile();
/// Of the workqueue's histograms: 10 ns to 1000 s.
[[nodiscard]] std::vector<double> Queue();
/// Seconds to an hour.
[[nodiscard]] std::vector<double> Lateness();
/// Of calls over a network: 1 ms to a minute.
[[nodiscard]] std::vector<double> Api();
/// For one transaction: 0.1 ms to 5 s.
[[nodiscard]] std::vector<double> Commit();

}  // namespace buckets
}  // namespace bindery::telemetry
