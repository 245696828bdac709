#pragma once

#include <memory>

#include "config/config.h"
#include "core/base/expected.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"
#include "tracing/span_exporter.h"

namespace bindery::app {

/// Begins to export what is recorded, over a separate transport, which shutting down the calls to
/// clouds leaves alone. Null where no collector is configured. An error when the headers for it
/// cannot be read. `log` and `metrics` must outlive the object.
[[nodiscard]] Expected<std::shared_ptr<tracing::SpanExporter>> StartSpanExport(
    const config::Config& config, telemetry::Logger& log, telemetry::Metrics& metrics);

}  // namespace bindery::app
