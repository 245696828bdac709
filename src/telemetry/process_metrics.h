#pragma once

#include <prometheus/registry.h>

namespace bindery::metrics_internal {

/// The process_ family of every Prometheus client library, read from /proc. Not thread-safe.
class ProcessMetrics {
 public:
  explicit ProcessMetrics(prometheus::Registry& registry);

  /// Reads /proc again. What cannot be read keeps its last value.
  void Refresh();

 private:
  prometheus::Gauge& start_time_;
  prometheus::Gauge& resident_memory_;
  prometheus::Gauge& virtual_memory_;
  prometheus::Gauge& open_fds_;
  prometheus::Gauge& max_fds_;
  prometheus::Counter& cpu_;
};

}  // namespace bindery::metrics_internal
