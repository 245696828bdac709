#include "telemetry/metric_families.h"

namespace bindery::metrics_internal {

Counters& NewCounters(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
Gauges& NewGauges(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
Histograms& NewHistograms(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

Families::Families(prometheus::Registry& r)
    : reconciles(NewCounters(r, "controller_runtime_reconcile_total",
                             "Reconciliations of targets, by kind and result.")),
      reconcile_errors(NewCounters(r, "controller_runtime_reconcile_errors_total",
                                   "Reconciliations that ended in an error.")),
      reconcile_terminal_errors(
          NewCounters(r, "controller_runtime_terminal_reconcile_errors_total",
                      "Reconciliations that ended in an error that trying again cannot mend.")),
      reconcile_panics(NewCounters(r, "controller_runtime_reconcile_panics_total",
                                   "Reconciliations that ended in an exception.")),
      reconcile_timeouts(NewCounters(r, "controller_runtime_reconcile_timeouts_total",
                                     "Reconciliations that took longer than they may.")),
      reconcile_time(NewHistograms(r, "controller_runtime_reconcile_time_seconds",
                                   "How long a reconciliation takes.")),
      max_concurrent_reconciles(NewGauges(r, "controller_runtime_max_concurrent_reconciles",
                                          "How many targets are worked on at once at most.")),
      active_workers(
          NewGauges(r, "controller_runtime_active_workers", "How many targets are worked on now.")),
      queue_depth(NewGauges(r, "workqueue_depth", "Targets that wait in the queue.")),
      queue_adds(NewCounters(r, "workqueue_adds_total", "Targets added to the queue.")),
      queue_retries(NewCounters(r, "workqueue_retries_total",
                                "Targets added to the queue again, after a failure.")),
      queue_duration(NewHistograms(r, "workqueue_queue_duration_seconds",
                                   "How long a due target waits before it is worked on.")),
      queue_work_duration(NewHistograms(r, "workqueue_work_duration_seconds",
                                        "How long a target taken from the queue is worked on.")),
      queue_unfinished(NewGauges(
          r, "workqueue_unfinished_work_seconds",
          "How long all the work under way has taken so far; it grows when workers hang.")),
      queue_longest(NewGauges(r, "workqueue_longest_running_processor_seconds",
                              "How long the oldest work under way has taken so far.")),
      resources(
          NewGauges(r, "bindery_resources",
                    "Manifests in force, by kind and state: ready, reconciling, stalled, held, or "
                    "suspended.")),
      targets(NewGauges(r, "bindery_targets", "Policies that manifests are declared on.")),
      grants(NewGauges(r, "bindery_grants", "Grants that manifests declare.")),
      drift_open(NewGauges(r, "bindery_drift_items", "Differences between declared and observed.")),
      drift_accepted(NewGauges(r, "bindery_drift_accepted_items",
                               "Differences that the configuration accepts for now.")),
      drift_found(NewCounters(r, "bindery_drift_found_total", "Differences found.")),
      drift_corrected(NewCounters(r, "bindery_drift_corrected_total", "Differences repaired.")),
      contested_writes(
          NewCounters(r, "bindery_contested_writes_total",
                      "Writes after which the policy was not found as it was written.")),
      grants_expired(NewGauges(r, "bindery_grants_expired",
                               "Grants that manifests declare under a condition that has ended, or "
                               "holds at no time.")),
      grants_expiring(NewGauges(r, "bindery_grants_expiring",
                                "Grants whose condition holds now and ends within that time.")),
      next_grant_expiry(NewGauges(r, "bindery_next_grant_expiry_timestamp_seconds",
                                  "When the next condition of a grant ends; +Inf: none does.")),
      clock_disagreement(NewGauges(r, "bindery_clock_disagreement_seconds",
                                   "How far the local clock is ahead of the time that the services "
                                   "tell; negative: behind.")),
      clock_confirmed(NewGauges(r, "bindery_clock_confirmed",
                                "1 while most services agree with the local clock; otherwise "
                                "nothing is removed by time.")),
      removals_awaiting_time(
          NewGauges(r, "bindery_removals_awaiting_time",
                    "Resources whose grants would go because their condition has ended, if the "
                    "local clock were confirmed.")),
      oscillating_targets(NewGauges(r, "bindery_oscillating_targets",
                                    "Targets that bindery and somebody else change back and forth; "
                                    "they are written rarely.")),
      oldest_observation(NewGauges(
          r, "bindery_oldest_observation_timestamp_seconds",
          "When the target that was not observed for the longest time was last observed; suspended "
          "ones do not count. 0: none was.")),
      lateness(NewHistograms(r, "bindery_reconcile_lateness_seconds",
                             "How long after it was due a periodic observation began.")),
      api_requests(NewCounters(r, "bindery_api_requests_total",
                               "Calls to clouds, by HTTP status, or \"error\" without an answer.")),
      api_duration(NewHistograms(r, "bindery_api_request_duration_seconds",
                                 "How long a call to a cloud takes.")),
      quota_headroom(NewGauges(r, "bindery_quota_headroom_ratio",
                               "The part of the request quota that is free; 0: calls wait.")),
      quota_rate(NewGauges(r, "bindery_quota_calls_per_second",
                           "How many calls a second may go, by what is configured, announced and "
                           "learned from refusals; 0: no limit is known.")),
      quota_paused(NewGauges(r, "bindery_quota_paused_seconds",
                             "How long no call may go, because the service refused or announced "
                             "that the quota is used up.")),
      quota_refusals(NewCounters(r, "bindery_quota_refusals_total",
                                 "Calls a service refused because of a quota.")),
      circuit_open(NewGauges(r, "bindery_circuit_breaker_open",
                             "1 while calls to a host wait because it does not answer.")),
      circuit_openings(NewCounters(r, "bindery_circuit_breaker_openings_total",
                                   "How often calls to a host began to wait.")),
      detection_bound(NewGauges(r, "bindery_drift_detection_bound_seconds",
                                "How long drift can go unseen at most while calls succeed.")),
      detection_expected(
          NewGauges(r, "bindery_drift_detection_expected_seconds",
                    "How long drift is expected to go unseen, over targets by how often they "
                    "drift.")),
      recheck_rate(NewGauges(r, "bindery_recheck_requests_per_minute",
                             "How many observations a minute the plan of re-checks takes.")),
      guard_holds(NewGauges(r, "bindery_guard_holds",
                            "Holds that wait for an operator: removals to approve or deny.")),
      guard_held_removals(
          NewGauges(r, "bindery_guard_held_removals", "Removals that wait for an approval.")),
      withheld_targets(NewGauges(r, "bindery_removals_withheld_targets",
                                 "Targets on which something waits to be removed until the "
                                 "manifests directory says for sure that it is not declared.")),
      guard_denied_removals(NewGauges(r, "bindery_guard_denied_removals",
                                      "Removals that an operator denied and the manifests still "
                                      "ask for.")),
      manifest_errors(NewGauges(r, "bindery_manifest_errors",
                                "Errors in the manifest directory, as last read.")),
      manifest_warnings(NewGauges(r, "bindery_manifest_warnings",
                                  "Warnings about the manifest directory, as last read.")),
      manifest_problems(NewGauges(r, "bindery_manifest_problems",
                                  "Problems of the manifest directory by what they are.")),
      last_load(NewGauges(r, "bindery_last_load_timestamp_seconds",
                          "When the manifest directory was last read without an error.")),
      last_load_successful(
          NewGauges(r, "bindery_last_load_successful",
                    "1 when the manifest directory was last read without an error.")),
      last_config_reload(NewGauges(r, "bindery_config_last_reload_success_timestamp_seconds",
                                   "When the configuration was last loaded successfully.")),
      last_config_reload_successful(
          NewGauges(r, "bindery_config_last_reload_successful",
                    "1 when the last attempt to load the configuration succeeded.")),
      watcher_mode(NewGauges(r, "bindery_watcher_mode",
                             "1 for the way changes of the manifest directory are noticed.")),
      store_commit(NewHistograms(r, "bindery_store_commit_duration_seconds",
                                 "How long a transaction of the store takes to commit.")),
      store_usable(
          NewGauges(r, "bindery_store_usable",
                    "Whether the store is there and takes writes; 0: no cloud is written.")),
      store_reopenings(
          NewCounters(r, "bindery_store_reopenings_total",
                      "How often the store was opened again because its files were lost.")),
      reports(NewCounters(r, "bindery_drift_reports_total",
                          "Attempts to write a drift report, by how they ended.")),
      last_report(NewGauges(r, "bindery_last_drift_report_timestamp_seconds",
                            "The time of the last drift report that was written.")),
      spans(NewCounters(r, "bindery_trace_spans_total",
                        "Spans of sampled traces, by what became of them.")),
      audit_entries(NewCounters(r, "bindery_audit_entries_total",
                                "Entries read of audit logs, by what became of them.")),
      newest_audit_entry(NewGauges(r, "bindery_audit_newest_entry_timestamp_seconds",
                                   "The time of the newest entry read of audit logs.")),
      server_refusals(NewCounters(r, "bindery_http_refusals_total",
                                  "Connections and requests that the daemon's own endpoints did "
                                  "not serve, by why.")),
      build_info(NewGauges(r, "bindery_build_info", "Always 1; the labels say what is running.")) {}

prometheus::Histogram::BucketBoundaries ReconcileBuckets() {
  return {0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
          0.7,   0.8,  0.9,   1.0,  1.25, 1.5,  1.75, 2.0,  2.5, 3.0,  3.5, 4.0,  4.5, 5,
          6,     7,    8,     9,    10,   15,   20,   25,   30,  40,   50,  60};
}

prometheus::Histogram::BucketBoundaries QueueBuckets() {
  return {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000};
}

prometheus::Histogram::BucketBoundaries LatenessBuckets() {
  return {0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600};
}

prometheus::Histogram::BucketBoundaries ApiBuckets() {
  return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};
}

prometheus::Histogram::BucketBoundaries CommitBuckets() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};
}

}  // namespace bindery::metrics_internal
