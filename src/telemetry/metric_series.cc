#include "telemetry/metric_series.h"

#include <utility>

#include "telemetry/metric_labels.h"

namespace bindery::metrics_internal {
namespace {

prometheus::Labels Result(std::string_view kind, const char* result) {
  return {{"controller", LowerCase(kind)}, {"result", result}};
}

DriftCounters DriftOf(Counters& counters, const std::string& kind) {
  DriftCounters series{};
  for (const DriftClass drift_class : kDriftClasses) {
    for (const Severity severity : kSeverities) {
      for (const DriftCause cause : kCauses) {
        series.at(Index(drift_class)).at(Index(severity)).at(Index(cause)) =
            &counters.Add(Drift(kind, drift_class, severity, cause));
      }
    }
  }
  return series;
}

KindSeries SeriesOf(Families& families, const std::string& kind) {
  std::array<prometheus::Counter*, kResults.size()> reconciles{};
  for (std::size_t i = 0; i < kResults.size(); ++i) {
    reconciles.at(i) = &families.reconciles.Add(Result(kind, kResults.at(i)));
  }
  return {families.active_workers.Add(Controller(kind)),
          reconciles,
          families.reconcile_time.Add(Controller(kind), ReconcileBuckets()),
          families.queue_adds.Add(Queue(kind)),
          families.queue_retries.Add(Queue(kind)),
          families.queue_duration.Add(Queue(kind), QueueBuckets()),
          families.queue_work_duration.Add(Queue(kind), QueueBuckets()),
          families.lateness.Add(Kind(kind), LatenessBuckets()),
          DriftOf(families.drift_found, kind),
          DriftOf(families.drift_corrected, kind)};
}

}  // namespace

KindSeries& Series::OfKind(std::string_view kind) {
  const MutexLock lock(mutex_);
  const auto found = of_kind_.find(kind);
  if (found != of_kind_.end()) return found->second;
  std::string name(kind);
  KindSeries series = SeriesOf(families_, name);
  return of_kind_.emplace(std::move(name), series).first->second;
}

CallSeries& Series::OfCall(std::string_view service, std::string_view operation, int status) {
  const MutexLock lock(mutex_);
  const auto found = of_call_.find(std::tuple(service, operation, status));
  if (found != of_call_.end()) return found->second;
  prometheus::Labels labels = {{"service", std::string(service)},
                               {"method", std::string(operation)}};
  prometheus::Histogram& duration = families_.api_duration.Add(labels, ApiBuckets());
  labels["code"] = status == 0 ? "error" : std::to_string(status);
  CallSeries series{duration, families_.api_requests.Add(labels)};
  return of_call_.emplace(std::tuple(service, operation, status), series).first->second;
}

}  // namespace bindery::metrics_internal
