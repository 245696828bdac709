#include "telemetry/metric.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/mutex.h"
#include "core/text/ascii.h"

namespace bindery {
namespace metrics_internal {

/// The series of one metric by the values of their labels. This look-up costs less than the
/// library's look-up by labels.
template <typename One>
class Series {
 public:
  Series(prometheus::Family<One>& family, std::vector<MetricLabel> labels,
         const std::vector<std::string>& kinds, std::vector<double> buckets = {})
      : family_(family), labels_(std::move(labels)), buckets_(std::move(buckets)) {
    prometheus::Labels shown;
    Start(kinds, 0, shown);
  }

  One& Find(LabelValues values) {
    std::string key;
    for (const std::string_view value : values) {
      key += value;
      key += '\0';
    }
    const MutexLock lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return *found->second;
    prometheus::Labels shown;
    std::size_t index = 0;
    for (const std::string_view value : values) Show(labels_.at(index++), value, shown);
    return *known_.emplace(std::move(key), &Make(shown)).first->second;
  }

  void Clear() {
    const MutexLock lock(mutex_);
    for (const auto& [key, one] : known_) one->Set(0);
  }

 private:
  /// Makes the series of all values known before, those of `labels_` from `index` on.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are labels
  void Start(const std::vector<std::string>& kinds, std::size_t index, prometheus::Labels& shown) {
    if (index == labels_.size()) {
      Make(shown);
      return;
    }
    const MetricLabel& label = labels_[index];
    for (const std::string& value : label.kinds ? kinds : label.values) {
      Show(label, value, shown);
      Start(kinds, index + 1, shown);
    }
  }

  static void Show(const MetricLabel& label, std::string_view value, prometheus::Labels& shown) {
    for (const std::string& name : label.names) {
      shown[name] = label.lower_case ? AsciiLower(value) : std::string(value);
    }
  }

  One& Make(const prometheus::Labels& shown) {
    if constexpr (std::is_same_v<One, prometheus::Histogram>) {
      return family_.Add(shown, buckets_);
    } else {
      return family_.Add(shown);
    }
  }

  prometheus::Family<One>& family_;
  const std::vector<MetricLabel> labels_;
  const std::vector<double> buckets_;
  Mutex mutex_;
  std::unordered_map<std::string, One*> known_
      GUARDED_BY(mutex_);  ///< What it holds counts by itself.
};

}  // namespace metrics_internal

MetricRegistry::MetricRegistry(std::vector<std::string> kinds)
    : kinds_(std::move(kinds)), registry_(std::make_unique<prometheus::Registry>()) {}

MetricRegistry::~MetricRegistry() = default;

std::string MetricRegistry::Text() const {
  return prometheus::TextSerializer().Serialize(registry_->Collect());
}

Counter::Counter(MetricRegistry& registry, const char* name, const char* help,
                 std::vector<MetricLabel> labels)
    : series_(std::make_unique<metrics_internal::Series<prometheus::Counter>>(
          prometheus::BuildCounter().Name(name).Help(help).Register(registry.registry()),
          std::move(labels), registry.kinds())) {}

Counter::~Counter() = default;

void Counter::Add(double by, LabelValues series) { series_->Find(series).Increment(by); }

void Counter::Raise(double total, LabelValues series) {
  prometheus::Counter& counter = series_->Find(series);
  counter.Increment(std::max(0.0, total - counter.Value()));
}

Gauge::Gauge(MetricRegistry& registry, const char* name, const char* help,
             std::vector<MetricLabel> labels)
    : series_(std::make_unique<metrics_internal::Series<prometheus::Gauge>>(
          prometheus::BuildGauge().Name(name).Help(help).Register(registry.registry()),
          std::move(labels), registry.kinds())) {}

Gauge::~Gauge() = default;

void Gauge::SetValue(double value, LabelValues series) { series_->Find(series).Set(value); }
void Gauge::Increment(LabelValues series) { series_->Find(series).Increment(); }
void Gauge::Decrement(LabelValues series) { series_->Find(series).Decrement(); }
void Gauge::Clear() { series_->Clear(); }

Histogram::Histogram(MetricRegistry& registry, const char* name, const char* help,
                     std::vector<MetricLabel> labels, std::vector<double> buckets)
    : series_(std::make_unique<metrics_internal::Series<prometheus::Histogram>>(
          prometheus::BuildHistogram().Name(name).Help(help).Register(registry.registry()),
          std::move(labels), registry.kinds(), std::move(buckets))) {}

Histogram::~Histogram() = default;

void Histogram::Observe(Seconds value, LabelValues series) {
  series_->Find(series).Observe(value.count());
}

}  // namespace bindery
