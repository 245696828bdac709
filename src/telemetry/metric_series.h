#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "core/mutex.h"
#include "telemetry/metric_families.h"
#include "telemetry/metric_labels.h"

namespace bindery::metrics_internal {

inline constexpr std::array kResults = {"success", "error", "requeue", "requeue_after"};

/// By class, severity and cause.
using DriftCounters =
    std::array<std::array<std::array<prometheus::Counter*, kCauses.size()>, kSeverities.size()>,
               kDriftClasses.size()>;

/// The series of a kind that every check touches: looking them up by their labels costs more than
/// counting.
struct KindSeries {
  prometheus::Gauge& active_workers;
  std::array<prometheus::Counter*, kResults.size()> reconciles;
  prometheus::Histogram& reconcile_time;
  prometheus::Counter& queue_adds;
  prometheus::Counter& queue_retries;
  prometheus::Histogram& queue_duration;
  prometheus::Histogram& queue_work_duration;
  prometheus::Histogram& lateness;
  DriftCounters drift_found;
  DriftCounters drift_corrected;
};

/// Those of one sort of call.
struct CallSeries {
  prometheus::Histogram& duration;
  prometheus::Counter& requests;
};

/// Series by what is at hand when something is counted; made when first asked for. Thread-safe.
class Series {
 public:
  explicit Series(Families& families) : families_(families) {}

  KindSeries& OfKind(std::string_view kind);
  CallSeries& OfCall(std::string_view service, std::string_view operation, int status);

 private:
  /// Service, operation and status; texts of either kind compare as what they say.
  struct CallOrder {
    using is_transparent = void;

    template <typename Left, typename Right>
    bool operator()(const Left& left, const Right& right) const {
      const std::string_view service = std::get<0>(left);
      const std::string_view operation = std::get<1>(left);
      if (const int order = service.compare(std::get<0>(right)); order != 0) return order < 0;
      if (const int order = operation.compare(std::get<1>(right)); order != 0) return order < 0;
      return std::get<2>(left) < std::get<2>(right);
    }
  };

  Families& families_;
  Mutex mutex_;  ///< Guards the two maps; what they hold counts by itself.
  std::map<std::string, KindSeries, std::less<>> of_kind_ GUARDED_BY(mutex_);
  std::map<std::tuple<std::string, std::string, int>, CallSeries, CallOrder> of_call_
      GUARDED_BY(mutex_);
};

}  // namespace bindery::metrics_internal
