#pragma once

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// Who answers for the access that the last scan of a cloud found.
struct InventoryMetrics {
  MetricRegistry& registry;

  Gauge grants{
      registry,
      "bindery_coverage_grants",
      "Grants in the scope that was scanned last of each provider, by who answers for them; "
      "counted at the start and after each scan.",
      {label::Of("class", {"declared", "accepted", "justInTime", "serviceAgents", "undeclared",
                           "unmanaged", "tombstones"})}};
  Gauge as_of{registry, "bindery_coverage_as_of_timestamp_seconds",
              "When the oldest of the scans began that the coverage is of; 0: none was finished."};
};

}  // namespace bindery::telemetry
