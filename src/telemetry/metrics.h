#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mutex.h"
#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"
#include "telemetry/process_metrics.h"

namespace bindery {

/// What became of events on their way to a webhook. Each event ends as one of them but kFailed,
/// which counts attempts.
enum class NotificationOutcome {
  kDelivered,
  kRepeated,  ///< The same was told within repeatInterval.
  kGivenUp,   ///< Refused for too long.
  kExpired,   ///< Deleted by the retention before it could be told.
  kFailed,    ///< An attempt that will be made again.
};
inline constexpr std::array kAllNotificationOutcomes = {
    NotificationOutcome::kDelivered, NotificationOutcome::kRepeated, NotificationOutcome::kGivenUp,
    NotificationOutcome::kExpired, NotificationOutcome::kFailed};
[[nodiscard]] std::string_view ToString(NotificationOutcome outcome);

struct MetricsOptions {
  std::vector<std::string>
      kinds;  ///< All kinds that may appear: their series exist, at zero, from the start.
  std::string version;
  std::string commit = {};  ///< That it was built from; empty: not known.
};

/// Everything bindery counts and measures, a row a metric: its name, its help text, and the labels
/// of its series, in the order in which their values are given. docs/metrics.md lists them too.
/// Label values come from small fixed sets: kinds, services, operations, codes, providers.
/// Thread-safe.
class Metrics {
 private:
  MetricRegistry registry_;

 public:
  explicit Metrics(const MetricsOptions& options);
  ~Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// The text exposition format, of this moment. Runs what OnRender was given.
  [[nodiscard]] std::string Render();

  /// Called at the start of each Render, one at a time: sets gauges that are cheaper to ask for
  /// than to keep.
  void OnRender(std::function<void()> refresh);

  [[nodiscard]] const std::vector<std::string>& kinds() const { return registry_.kinds(); }

  // The controller_runtime_ family. `controller` is the kind in lower case.
  Counter reconciles{registry_,
                     "controller_runtime_reconcile_total",
                     "Reconciliations of targets, by kind and result.",
                     {label::Controller(), label::Result()}};
  Counter reconcile_errors{registry_,
                           "controller_runtime_reconcile_errors_total",
                           "Reconciliations that ended in an error.",
                           {label::Controller()}};
  Counter reconcile_terminal_errors{
      registry_,
      "controller_runtime_terminal_reconcile_errors_total",
      "Reconciliations that ended in an error that a retry cannot fix.",
      {label::Controller()}};
  Counter reconcile_panics{registry_,
                           "controller_runtime_reconcile_panics_total",
                           "Reconciliations that ended in an exception.",
                           {label::Controller()}};
  Counter reconcile_timeouts{registry_,
                             "controller_runtime_reconcile_timeouts_total",
                             "Reconciliations that failed because a call ran into a time limit.",
                             {label::Controller()}};
  Histogram reconcile_time{registry_,
                           "controller_runtime_reconcile_time_seconds",
                           "How long a reconciliation takes.",
                           {label::Controller()},
                           buckets::Reconcile()};
  Gauge max_concurrent_reconciles{registry_,
                                  "controller_runtime_max_concurrent_reconciles",
                                  "Maximum number of targets worked on concurrently.",
                                  {label::Controller()}};
  Gauge active_workers{registry_,
                       "controller_runtime_active_workers",
                       "How many targets are worked on now.",
                       {label::Controller()}};

  // The workqueue_ family; `name` and `controller` are the kind in lower case.
  Gauge queue_depth{registry_,
                    "workqueue_depth",
                    "Targets that wait in the queue.",
                    {label::Queue(), label::Of("priority", {"0", "1", "2"})}};
  Counter queue_adds{
      registry_, "workqueue_adds_total", "Targets added to the queue.", {label::Queue()}};
  Counter queue_retries{registry_,
                        "workqueue_retries_total",
                        "Targets added to the queue again, after a failure.",
                        {label::Queue()}};
  Histogram queue_duration{registry_,
                           "workqueue_queue_duration_seconds",
                           "How long a due target waits before it is worked on.",
                           {label::Queue()},
                           buckets::Queue()};
  Histogram queue_work_duration{registry_,
                                "workqueue_work_duration_seconds",
                                "How long a target taken from the queue is worked on.",
                                {label::Queue()},
                                buckets::Queue()};
  Gauge queue_unfinished{
      registry_,
      "workqueue_unfinished_work_seconds",
      "How long all the work under way has taken so far; it grows when workers hang.",
      {label::Queue()}};
  Gauge queue_longest{registry_,
                      "workqueue_longest_running_processor_seconds",
                      "How long the oldest work under way has taken so far.",
                      {label::Queue()}};

  // Resources, grants and drift.
  Gauge resources{
      registry_,
      "bindery_resources",
      "Manifests in force, by kind and state: ready, reconciling, stalled, held, or suspended.",
      {label::Kind(), label::State()}};
  Gauge targets{
      registry_, "bindery_targets", "Policies that manifests are declared on.", {label::Kind()}};
  Gauge grants{registry_, "bindery_grants", "Grants that manifests declare.", {label::Kind()}};
  Gauge drift_open{registry_,
                   "bindery_drift_items",
                   "Differences between declared and observed.",
                   {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
  Gauge drift_accepted{registry_,
                       "bindery_drift_accepted_items",
                       "Differences that the configuration accepts for now.",
                       {label::Kind(), label::AcceptableClass()}};
  Counter drift_found{registry_,
                      "bindery_drift_found_total",
                      "Differences found.",
                      {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
  Counter drift_corrected{registry_,
                          "bindery_drift_corrected_total",
                          "Differences repaired.",
                          {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
  Counter contested_writes{registry_,
                           "bindery_contested_writes_total",
                           "Writes after which the policy was not found as it was written.",
                           {label::Kind()}};
  Counter policy_reads{registry_,
                       "bindery_policy_reads_total",
                       "Checks that read the whole policy (full), or only its etag (etag).",
                       {label::Kind(), label::Of("form", {"full", "etag"})}};
  Gauge grants_expired{
      registry_,
      "bindery_grants_expired",
      "Grants that manifests declare under a condition that has ended, or holds at no time.",
      {label::Of("kind")}};
  Gauge grants_expiring{registry_,
                        "bindery_grants_expiring",
                        "Grants whose condition holds now and ends within that time.",
                        {label::Of("kind"), label::Of("within")}};
  Gauge next_grant_expiry{registry_,
                          "bindery_next_grant_expiry_timestamp_seconds",
                          "When the next condition of a grant ends; +Inf: none does.",
                          {label::Of("kind")}};
  Gauge clock_disagreement{
      registry_, "bindery_clock_disagreement_seconds",
      "How far the local clock is ahead of the time that the services tell; negative: behind."};
  Gauge clock_confirmed{
      registry_, "bindery_clock_confirmed",
      "1 while most services agree with the local clock; otherwise nothing is removed by time."};
  Gauge removals_awaiting_time{registry_, "bindery_removals_awaiting_time",
                               "Resources whose grants would go because their condition has ended, "
                               "if the local clock were confirmed."};
  Gauge oscillating_targets{
      registry_, "bindery_oscillating_targets",
      "Targets that bindery and somebody else change back and forth; they are written rarely."};
  Gauge oldest_observation{registry_,
                           "bindery_oldest_observation_timestamp_seconds",
                           "When the target that was not observed for the longest time was last "
                           "observed; suspended ones do not count. 0: none was.",
                           {label::Of("kind")}};
  Histogram lateness{registry_,
                     "bindery_reconcile_lateness_seconds",
                     "How long after it was due a periodic observation began.",
                     {label::Kind()},
                     buckets::Lateness()};

  // The clouds.
  Counter api_requests{registry_,
                       "bindery_api_requests_total",
                       "Calls to clouds, by HTTP status, or \"error\" without an answer.",
                       {label::Of("service"), label::Of("method"), label::Of("code")}};
  Histogram api_duration{registry_,
                         "bindery_api_request_duration_seconds",
                         "How long a call to a cloud takes.",
                         {label::Of("service"), label::Of("method")},
                         buckets::Api()};
  Gauge quota_headroom{registry_,
                       "bindery_quota_headroom_ratio",
                       "The part of the request quota that is free; 0: calls wait.",
                       {label::Of("provider"), label::Of("quota_project")}};
  Gauge quota_rate{registry_,
                   "bindery_quota_calls_per_second",
                   "How many calls a second may go, by what is configured, announced and learned "
                   "from refusals; 0: no limit is known.",
                   {label::Of("provider"), label::Of("quota_project")}};
  Gauge quota_paused{registry_,
                     "bindery_quota_paused_seconds",
                     "How long no call may go, because the service refused or announced that the "
                     "quota is used up.",
                     {label::Of("provider"), label::Of("quota_project")}};
  Counter quota_refusals{registry_,
                         "bindery_quota_refusals_total",
                         "Calls a service refused because of a quota.",
                         {label::Of("provider"), label::Of("quota_project")}};
  Gauge circuit_open{registry_,
                     "bindery_circuit_breaker_open",
                     "1 while calls to a host wait because it does not answer.",
                     {label::Of("host")}};
  Counter circuit_openings{registry_,
                           "bindery_circuit_breaker_openings_total",
                           "How often calls to a host began to wait.",
                           {label::Of("host")}};

  // Re-checks, guard, manifests, configuration.
  Gauge detection_bound{registry_, "bindery_drift_detection_bound_seconds",
                        "How long drift can go unseen at most while calls succeed."};
  Gauge detection_expected{
      registry_, "bindery_drift_detection_expected_seconds",
      "How long drift is expected to go unseen, over targets by how often they drift."};
  Gauge recheck_rate{registry_, "bindery_recheck_requests_per_minute",
                     "How many observations a minute the plan of re-checks takes."};
  Gauge guard_holds{registry_, "bindery_guard_holds",
                    "Holds that wait for an operator: removals to approve or deny."};
  Gauge guard_held_removals{registry_, "bindery_guard_held_removals",
                            "Removals that wait for an approval."};
  Gauge withheld_targets{registry_,
                         "bindery_removals_withheld_targets",
                         "Targets on which something waits to be removed until the manifests "
                         "directory says for sure that it is not declared.",
                         {label::Of("state", {"pending", "blocked"})}};
  Gauge guard_denied_removals{registry_, "bindery_guard_denied_removals",
                              "Removals that an operator denied and the manifests still ask for."};
  Gauge manifest_errors{registry_, "bindery_manifest_errors",
                        "Errors in the manifest directory, as last read."};
  Gauge manifest_warnings{registry_, "bindery_manifest_warnings",
                          "Warnings about the manifest directory, as last read."};
  Gauge manifest_problems{registry_,
                          "bindery_manifest_problems",
                          "Problems of the manifest directory by what they are.",
                          {label::Of("code"), label::Of("severity")}};
  Gauge last_load{registry_, "bindery_last_load_timestamp_seconds",
                  "When the manifest directory was last read without an error."};
  Gauge last_load_successful{registry_, "bindery_last_load_successful",
                             "1 when the manifest directory was last read without an error."};
  Gauge last_config_reload{registry_, "bindery_config_last_reload_success_timestamp_seconds",
                           "When the configuration was last loaded successfully."};
  Gauge last_config_reload_successful{
      registry_, "bindery_config_last_reload_successful",
      "1 when the last attempt to load the configuration succeeded."};
  Gauge watcher_mode{registry_,
                     "bindery_watcher_mode",
                     "1 for the way changes of the manifest directory are noticed.",
                     {label::Of("mode", {"inotify", "poll"})}};

  // Store, reports, traces, audit logs, server.
  Histogram store_commit{registry_,
                         "bindery_store_commit_duration_seconds",
                         "How long a transaction of the store takes to commit.",
                         {},
                         buckets::Commit()};
  Gauge store_usable{registry_, "bindery_store_usable",
                     "Whether the store is there and takes writes; 0: no cloud is written."};
  Gauge store_held{registry_, "bindery_store_held",
                   "Whether this replica writes to the store and to the clouds; 0: it stands by."};
  Counter store_reopenings{registry_, "bindery_store_reopenings_total",
                           "How often the store was opened again because its files were lost."};
  Counter reports{registry_,
                  "bindery_drift_reports_total",
                  "Attempts to write a drift report, by how they ended.",
                  {label::Of("result", {"written", "failed"})}};
  Gauge last_report{registry_, "bindery_last_drift_report_timestamp_seconds",
                    "The time of the last drift report that was written."};
  Counter spans{registry_,
                "bindery_trace_spans_total",
                "Spans of sampled traces, by what became of them.",
                {label::Of("outcome", {"exported", "dropped", "failed"})}};
  Counter audit_entries{registry_,
                        "bindery_audit_entries_total",
                        "Entries read of audit logs, by what became of them.",
                        {label::Of("result", {"kept", "ignored", "malformed"})}};
  Gauge newest_audit_entry{registry_, "bindery_audit_newest_entry_timestamp_seconds",
                           "The time of the newest entry read of audit logs."};
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

  // Webhooks. Their names are those of the configuration, and few.
  Counter notifications{registry_,
                        "bindery_notifications_total",
                        "Events by what became of them on their way to a webhook; failed: attempts "
                        "that are made again.",
                        {label::Of("webhook"), label::Outcome()}};
  Gauge notifications_pending{registry_,
                              "bindery_notifications_pending",
                              "Events that wait to be told to a webhook.",
                              {label::Of("webhook")}};
  Gauge notifications_failing{registry_,
                              "bindery_notifications_failing",
                              "1 while a webhook does not accept messages.",
                              {label::Of("webhook")}};
  Gauge notifications_last_success{registry_,
                                   "bindery_notifications_last_success_timestamp_seconds",
                                   "When a webhook last accepted a message.",
                                   {label::Of("webhook")}};

 private:
  Mutex render_mutex_;
  metrics_internal::ProcessMetrics process_ GUARDED_BY(render_mutex_){registry_};
  std::function<void()> refresh_ GUARDED_BY(render_mutex_);
};

}  // namespace bindery
