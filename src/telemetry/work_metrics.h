#pragma once

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// The controller_runtime_ family: reconciliations of targets. `controller` is the kind in lower
/// case.
struct ReconcileMetrics {
  MetricRegistry& registry;

  Counter total{registry,
                "controller_runtime_reconcile_total",
                "Reconciliations of targets, by kind and result.",
                {label::Controller(), label::Result()}};
  Counter errors{registry,
                 "controller_runtime_reconcile_errors_total",
                 "Reconciliations that ended in an error.",
                 {label::Controller()}};
  Counter terminal_errors{registry,
                          "controller_runtime_terminal_reconcile_errors_total",
                          "Reconciliations that ended in an error that a retry cannot fix.",
                          {label::Controller()}};
  Counter panics{registry,
                 "controller_runtime_reconcile_panics_total",
                 "Reconciliations that ended in an exception.",
                 {label::Controller()}};
  Counter timeouts{registry,
                   "controller_runtime_reconcile_timeouts_total",
                   "Reconciliations that failed because a call ran into a time limit.",
                   {label::Controller()}};
  Histogram time{registry,
                 "controller_runtime_reconcile_time_seconds",
                 "How long a reconciliation takes.",
                 {label::Controller()},
                 buckets::Reconcile()};
  Gauge max_concurrent{registry,
                       "controller_runtime_max_concurrent_reconciles",
                       "Maximum number of targets worked on concurrently.",
                       {label::Controller()}};
  Gauge active_workers{registry,
                       "controller_runtime_active_workers",
                       "How many targets are worked on now.",
                       {label::Controller()}};
};

/// The workqueue_ family: targets that are due. `name` and `controller` are the kind in lower case.
struct QueueMetrics {
  MetricRegistry& registry;

  Gauge depth{registry,
              "workqueue_depth",
              "Targets that wait in the queue.",
              {label::Queue(), label::Of("priority", {"0", "1", "2"})}};
  Counter adds{registry, "workqueue_adds_total", "Targets added to the queue.", {label::Queue()}};
  Counter retries{registry,
                  "workqueue_retries_total",
                  "Targets added to the queue again, after a failure.",
                  {label::Queue()}};
  Histogram waiting_time{registry,
                         "workqueue_queue_duration_seconds",
                         "How long a due target waits before it is worked on.",
                         {label::Queue()},
                         buckets::Queue()};
  Histogram work_duration{registry,
                          "workqueue_work_duration_seconds",
                          "How long a target taken from the queue is worked on.",
                          {label::Queue()},
                          buckets::Queue()};
  Gauge unfinished{registry,
                   "workqueue_unfinished_work_seconds",
                   "How long all the work under way has taken so far; it grows when workers hang.",
                   {label::Queue()}};
  Gauge longest{registry,
                "workqueue_longest_running_processor_seconds",
                "How long the oldest work under way has taken so far.",
                {label::Queue()}};
};

}  // namespace bindery::telemetry
