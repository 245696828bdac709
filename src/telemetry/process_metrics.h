#pragma once

#include "telemetry/metric.h"

namespace bindery::telemetry {

/// The process_ family of every Prometheus client library, read from /proc. Not thread-safe.
class ProcessMetrics {
 public:
  explicit ProcessMetrics(MetricRegistry& registry);

  /// Reads /proc again. An unreadable value keeps its last state.
  void Refresh();

 private:
  MetricRegistry& registry_;
  Gauge start_time_{registry_, "process_start_time_seconds",
                    "When the process started, in seconds since 1970."};
  Gauge resident_memory_{registry_, "process_resident_memory_bytes",
                         "Memory the process occupies."};
  Gauge virtual_memory_{registry_, "process_virtual_memory_bytes", "Address space of the process."};
  Gauge open_fds_{registry_, "process_open_fds", "Open file descriptors."};
  Gauge max_fds_{registry_, "process_max_fds", "Limit of open file descriptors."};
  Counter cpu_{registry_, "process_cpu_seconds_total", "User and system CPU time spent."};
};

}  // namespace bindery::telemetry
