#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/observe/run_observer.h"
#include "app/process/progress_bar.h"
#include "app/process/service_manager.h"
#include "config/config.h"
#include "core/base/clock.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"
#include "tracing/span_exporter.h"

namespace bindery::app {

/// The daemon's reports about its work, with their clock. Exists before the store is opened and
/// outlives every other part of the daemon. A log line clears the progress bar first.
struct RunTelemetry {
  /// `quiet`: without a progress bar.
  RunTelemetry(const config::Config& config, std::vector<std::string> kinds, bool quiet = false);
  ~RunTelemetry() = default;
  RunTelemetry(const RunTelemetry&) = delete;
  RunTelemetry& operator=(const RunTelemetry&) = delete;

  SystemClock clock;
  ProgressBar progress;
  telemetry::Logger log;
  telemetry::Metrics metrics;
  RunObserver observer{log, metrics, clock, progress};
  ServiceManager services;
  std::shared_ptr<tracing::SpanExporter> spans;  ///< Null where nothing is exported.
};

}  // namespace bindery::app
