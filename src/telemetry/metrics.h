#pragma once

#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "telemetry/cloud_metrics.h"
#include "telemetry/daemon_metrics.h"
#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"
#include "telemetry/notification_metrics.h"
#include "telemetry/policy_metrics.h"
#include "telemetry/process_metrics.h"
#include "telemetry/work_metrics.h"

namespace bindery::telemetry {

struct MetricsOptions {
  std::vector<std::string>
      kinds;  ///< Their series exist, at zero, from the start; those of other kinds once used.
  std::string version;
  std::string commit = {};  ///< That it was built from; empty: not known.
};

/// All counts and measurements of bindery, in groups by subject. Each metric is a row of its group:
/// its name, its help text, and the labels of its series, in the order of their values.
/// docs/metrics.md lists the metrics too. Label values come from small fixed sets: kinds, services,
/// operations, codes, providers. Thread-safe.
class Metrics {
 private:
  MetricRegistry registry_;

 public:
  explicit Metrics(const MetricsOptions& options);

  /// The text exposition format, of the moment.
  [[nodiscard]] std::string Render();

  [[nodiscard]] const std::vector<std::string>& kinds() const { return registry_.kinds(); }

  ReconcileMetrics reconciles{registry_};
  QueueMetrics queue{registry_};
  DeclaredMetrics declared{registry_};
  DriftMetrics drift{registry_};
  GrantTimeMetrics grant_times{registry_};
  ObservationMetrics observations{registry_};
  CloudMetrics clouds{registry_};
  RecheckMetrics rechecks{registry_};
  RemovalMetrics removals{registry_};
  InputMetrics inputs{registry_};
  StoreMetrics store{registry_};
  ExportMetrics exports{registry_};
  AuditMetrics audit{registry_};
  Counter server_refusals{
      registry_,
      "bindery_http_refusals_total",
      "Connections and requests that the daemon's own endpoints did not serve, by why.",
      {label::Of("reason", {"connections", "cross-site", "host", "idle", "malformed", "plan",
                            "rate", "slow", "streams"})}};
  Gauge build_info{registry_,
                   "bindery_build_info",
                   "Always 1; the labels say what is running.",
                   {label::Of("version"), label::Of("revision"), label::Of("compiler")}};
  NotificationMetrics notifications{registry_};

 private:
  Mutex render_mutex_;
  ProcessMetrics process_ GUARDED_BY(render_mutex_){registry_};
};

}  // namespace bindery::telemetry
