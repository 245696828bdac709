#pragma once

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// The declarations of the manifests in force.
struct DeclaredMetrics {
  MetricRegistry& registry;

  Gauge resources{
      registry,
      "bindery_resources",
      "Manifests in force, by kind and state: ready, reconciling, stalled, held, or suspended.",
      {label::Kind(), label::State()}};
  Gauge targets{
      registry, "bindery_targets", "Policies that manifests are declared on.", {label::Kind()}};
  Gauge grants{registry, "bindery_grants", "Grants that manifests declare.", {label::Kind()}};
};

/// How policies differ from the declared state.
struct DriftMetrics {
  MetricRegistry& registry;

  Gauge open{registry,
             "bindery_drift_items",
             "Differences between declared and observed.",
             {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
  Gauge accepted{registry,
                 "bindery_drift_accepted_items",
                 "Differences that the configuration accepts for now.",
                 {label::Kind(), label::AcceptableClass()}};
  Gauge just_in_time{registry,
                     "bindery_just_in_time_grants",
                     "Grants that a service gave on request, in the policies of targets.",
                     {label::Kind()}};
  Gauge undeclared{registry,
                   "bindery_undeclared_grants",
                   "Grants in the policies of targets that no manifest declares, whether they stay "
                   "or not.",
                   {label::Kind()}};
  Counter found{registry,
                "bindery_drift_found_total",
                "Differences found.",
                {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
  Counter corrected{registry,
                    "bindery_drift_corrected_total",
                    "Differences repaired.",
                    {label::Kind(), label::DriftClass(), label::Severity(), label::Cause()}};
};

/// Reads of policies, with signs of further writers.
struct ObservationMetrics {
  MetricRegistry& registry;

  Counter contested_writes{registry,
                           "bindery_contested_writes_total",
                           "Writes after which the policy was not found as it was written.",
                           {label::Kind()}};
  Counter policy_reads{registry,
                       "bindery_policy_reads_total",
                       "Checks that read the whole policy (full), or only its etag (etag).",
                       {label::Kind(), label::Of("form", {"full", "etag"})}};
  Counter shared_checks{registry,
                        "bindery_shared_checks_total",
                        "Checks that another replica was asked for: it found the known answer "
                        "(same), another one (other), could not read (failed), or had too much to "
                        "do (late). All but the first are made again here.",
                        {label::Kind(), label::Of("answer", {"same", "other", "failed", "late"})}};
  Gauge oscillating_targets{
      registry, "bindery_oscillating_targets",
      "Targets that bindery and somebody else change back and forth; they are written rarely."};
  Gauge oldest{registry,
               "bindery_oldest_observation_timestamp_seconds",
               "When the target that was not observed for the longest time was last "
               "observed; suspended ones do not count. 0: none was.",
               {label::Of("kind")}};
  Histogram lateness{registry,
                     "bindery_reconcile_lateness_seconds",
                     "How long after it was due a periodic observation began.",
                     {label::Kind()},
                     buckets::Lateness()};
};

/// The effect of time on conditions, and whether the clock can be trusted.
struct GrantTimeMetrics {
  MetricRegistry& registry;

  Gauge expired{
      registry,
      "bindery_grants_expired",
      "Grants that manifests declare under a condition that has ended, or holds at no time.",
      {label::Of("kind")}};
  Gauge expiring{registry,
                 "bindery_grants_expiring",
                 "Grants whose condition holds now and ends within that time.",
                 {label::Of("kind"), label::Of("within")}};
  Gauge next_expiry{registry,
                    "bindery_next_grant_expiry_timestamp_seconds",
                    "When the next condition of a grant ends; +Inf: none does.",
                    {label::Of("kind")}};
  Gauge clock_disagreement{
      registry, "bindery_clock_disagreement_seconds",
      "How far the local clock is ahead of the time that the services tell; negative: behind."};
  Gauge clock_confirmed{
      registry, "bindery_clock_confirmed",
      "1 while most services agree with the local clock; otherwise nothing is removed by time."};
  Gauge awaiting_removals{registry, "bindery_removals_awaiting_time",
                          "Resources whose grants would go because their condition has ended, "
                          "if the local clock were confirmed."};
};

/// The plan of periodic observations.
struct RecheckMetrics {
  MetricRegistry& registry;

  Gauge detection_bound{registry, "bindery_drift_detection_bound_seconds",
                        "How long drift can go unseen at most while calls succeed."};
  Gauge detection_expected{
      registry, "bindery_drift_detection_expected_seconds",
      "How long drift is expected to go unseen, over targets by how often they drift."};
  Gauge requests_per_minute{registry, "bindery_recheck_requests_per_minute",
                            "How many observations a minute the plan of re-checks takes."};
  Gauge watched{registry, "bindery_scan_watched_targets",
                "Targets that scans with hints watch, so that they are read less often."};
  Gauge helpers{registry, "bindery_helping_replicas",
                "Replicas that stand by and are asked to read targets for this one."};
};

/// Removals that are not carried out yet.
struct RemovalMetrics {
  MetricRegistry& registry;

  Gauge holds{registry, "bindery_guard_holds",
              "Holds that wait for an operator: removals to approve or deny."};
  Gauge held{registry, "bindery_guard_held_removals", "Removals that wait for an approval."};
  Gauge withheld_targets{registry,
                         "bindery_removals_withheld_targets",
                         "Targets on which something waits to be removed until the manifests "
                         "directory says for sure that it is not declared.",
                         {label::Of("state", {"pending", "blocked"})}};
  Gauge denied{registry, "bindery_guard_denied_removals",
               "Removals that an operator denied and the manifests still ask for."};
};

}  // namespace bindery::telemetry
