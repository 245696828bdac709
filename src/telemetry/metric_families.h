#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

namespace bindery::metrics_internal {

using Counters = prometheus::Family<prometheus::Counter>;
using Gauges = prometheus::Family<prometheus::Gauge>;
using Histograms = prometheus::Family<prometheus::Histogram>;

[[nodiscard]] Counters& NewCounters(prometheus::Registry& registry, const char* name,
                                    const char* help);
[[nodiscard]] Gauges& NewGauges(prometheus::Registry& registry, const char* name, const char* help);
[[nodiscard]] Histograms& NewHistograms(prometheus::Registry& registry, const char* name,
                                        const char* help);

/// Every family, registered with its name and help text.
struct Families {
  explicit Families(prometheus::Registry& registry);

  Counters& reconciles;
  Counters& reconcile_errors;
  Counters& reconcile_terminal_errors;
  Counters& reconcile_panics;
  Counters& reconcile_timeouts;
  Histograms& reconcile_time;
  Gauges& max_concurrent_reconciles;
  Gauges& active_workers;

  Gauges& queue_depth;
  Counters& queue_adds;
  Counters& queue_retries;
  Histograms& queue_duration;
  Histograms& queue_work_duration;
  Gauges& queue_unfinished;
  Gauges& queue_longest;

  Gauges& resources;
  Gauges& targets;
  Gauges& grants;
  Gauges& drift_open;
  Gauges& drift_accepted;
  Counters& drift_found;
  Counters& drift_corrected;
  Counters& contested_writes;
  Gauges& grants_expired;
  Gauges& grants_expiring;
  Gauges& next_grant_expiry;
  Gauges& clock_disagreement;
  Gauges& clock_confirmed;
  Gauges& removals_awaiting_time;
  Gauges& oscillating_targets;
  Gauges& oldest_observation;
  Histograms& lateness;

  Counters& api_requests;
  Histograms& api_duration;
  Gauges& quota_headroom;
  Gauges& quota_rate;
  Gauges& quota_paused;
  Counters& quota_refusals;
  Gauges& circuit_open;
  Counters& circuit_openings;

  Gauges& detection_bound;
  Gauges& detection_expected;
  Gauges& recheck_rate;
  Gauges& guard_holds;
  Gauges& guard_held_removals;
  Gauges& withheld_targets;
  Gauges& guard_denied_removals;
  Gauges& manifest_errors;
  Gauges& manifest_warnings;
  Gauges& manifest_problems;
  Gauges& last_load;
  Gauges& last_load_successful;
  Gauges& last_config_reload;
  Gauges& last_config_reload_successful;
  Gauges& watcher_mode;
  Histograms& store_commit;
  Gauges& store_usable;
  Counters& store_reopenings;
  Counters& reports;
  Gauges& last_report;
  Counters& spans;
  Counters& audit_entries;
  Gauges& newest_audit_entry;
  Counters& server_refusals;
  Gauges& build_info;
};

/// Of controller_runtime_reconcile_time_seconds.
[[nodiscard]] prometheus::Histogram::BucketBoundaries ReconcileBuckets();
/// Of the workqueue's histograms: 10 ns to 1000 s.
[[nodiscard]] prometheus::Histogram::BucketBoundaries QueueBuckets();
/// Seconds to an hour.
[[nodiscard]] prometheus::Histogram::BucketBoundaries LatenessBuckets();
/// Of calls over a network: 1 ms to a minute.
[[nodiscard]] prometheus::Histogram::BucketBoundaries ApiBuckets();
/// Of one transaction: 0.1 ms to 5 s.
[[nodiscard]] prometheus::Histogram::BucketBoundaries CommitBuckets();

}  // namespace bindery::metrics_internal
