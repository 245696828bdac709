#pragma once

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// What bindery reads: the manifest directory and the configuration.
struct InputMetrics {
  MetricRegistry& registry;

  Gauge manifest_errors{registry, "bindery_manifest_errors",
                        "Errors in the manifest directory, as last read."};
  Gauge manifest_warnings{registry, "bindery_manifest_warnings",
                          "Warnings about the manifest directory, as last read."};
  Gauge manifest_problems{registry,
                          "bindery_manifest_problems",
                          "Problems of the manifest directory by what they are.",
                          {label::Of("code"), label::Of("severity")}};
  Gauge last_load{registry, "bindery_last_load_timestamp_seconds",
                  "When the manifest directory was last read without an error."};
  Gauge last_load_successful{registry, "bindery_last_load_successful",
                             "1 when the manifest directory was last read without an error."};
  Gauge last_config_reload{registry, "bindery_config_last_reload_success_timestamp_seconds",
                           "When the configuration was last loaded successfully."};
  Gauge last_config_reload_successful{
      registry, "bindery_config_last_reload_successful",
      "1 when the last attempt to load the configuration succeeded."};
  Gauge watcher_mode{registry,
                     "bindery_watcher_mode",
                     "1 for the way changes of the manifest directory are noticed.",
                     {label::Of("mode", {"inotify", "poll"})}};
};

/// The store, and whether this replica writes to it.
struct StoreMetrics {
  MetricRegistry& registry;

  Histogram commit{registry,
                   "bindery_store_commit_duration_seconds",
                   "How long a transaction of the store takes to commit.",
                   {},
                   buckets::Commit()};
  Gauge usable{registry, "bindery_store_usable",
               "Whether the store is there and takes writes; 0: no cloud is written."};
  Gauge held{registry, "bindery_store_held",
             "Whether this replica writes to the store and to the clouds; 0: it stands by."};
  Counter reopenings{registry, "bindery_store_reopenings_total",
                     "How often the store was opened again because its files were lost."};
};

/// bindery's output for further programs: drift reports and traces.
struct ExportMetrics {
  MetricRegistry& registry;

  Counter reports{registry,
                  "bindery_drift_reports_total",
                  "Attempts to write a drift report, by how they ended.",
                  {label::Of("result", {"written", "failed"})}};
  Gauge last_report{registry, "bindery_last_drift_report_timestamp_seconds",
                    "The time of the last drift report that was written."};
  Counter spans{registry,
                "bindery_trace_spans_total",
                "Spans of sampled traces, by what became of them.",
                {label::Of("outcome", {"exported", "dropped", "failed"})}};
};

/// Audit logs, with the authors of changes.
struct AuditMetrics {
  MetricRegistry& registry;

  Counter entries{registry,
                  "bindery_audit_entries_total",
                  "Entries read of audit logs, by what became of them.",
                  {label::Of("result", {"kept", "ignored", "malformed"})}};
  Gauge newest_entry{registry, "bindery_audit_newest_entry_timestamp_seconds",
                     "The time of the newest entry read of audit logs."};
};

}  // namespace bindery::telemetry
