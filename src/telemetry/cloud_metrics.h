#pragma once

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// Calls to clouds, their quotas, and unreachable hosts.
struct CloudMetrics {
  MetricRegistry& registry;

  Counter requests{registry,
                   "bindery_api_requests_total",
                   "Calls to clouds, by HTTP status, or \"error\" without an answer.",
                   {label::Of("service"), label::Of("method"), label::Of("code")}};
  Histogram request_duration{registry,
                             "bindery_api_request_duration_seconds",
                             "How long a call to a cloud takes.",
                             {label::Of("service"), label::Of("method")},
                             buckets::Api()};
  Gauge quota_headroom{registry,
                       "bindery_quota_headroom_ratio",
                       "The part of the request quota that is free, of the API that has least; 0: "
                       "its calls wait.",
                       {label::Of("provider"), label::Of("quota_project")}};
  Gauge quota_rate{registry,
                   "bindery_quota_calls_per_second",
                   "How many calls a second may go to the API that may get fewest, by what is "
                   "configured, announced and learned from refusals; 0: no limit is known.",
                   {label::Of("provider"), label::Of("quota_project")}};
  Gauge quota_paused{registry,
                     "bindery_quota_paused_seconds",
                     "How long no call may go to the API that waits longest, because the service "
                     "refused or announced that the quota is used up.",
                     {label::Of("provider"), label::Of("quota_project")}};
  Counter quota_refusals{registry,
                         "bindery_quota_refusals_total",
                         "Calls a service refused because of a quota.",
                         {label::Of("provider"), label::Of("quota_project")}};
  Gauge circuit_open{registry,
                     "bindery_circuit_breaker_open",
                     "1 while calls to a host wait because it does not answer.",
                     {label::Of("host")}};
  Counter circuit_openings{registry,
                           "bindery_circuit_breaker_openings_total",
                           "How often calls to a host began to wait.",
                           {label::Of("host")}};
};

}  // namespace bindery::telemetry
