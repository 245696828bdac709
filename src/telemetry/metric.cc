#include "telemetry/metric.h"

#include <prometheus/client_metric.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/base/mutex.h"
#include "core/text/ascii.h"
#include "telemetry/metric_text.h"

namespace bindery::telemetry {

/// A metric: all series of one name.
class Family {
 public:
  explicit Family(std::string name) : name_(std::move(name)) {}
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Nothing while no series exists.
  virtual void AppendText(std::string& text) const = 0;

 private:
  const std::string name_;
};

/// The metrics of a registry, in the order of their first use.
class Families {
 public:
  /// The metric of the name, made by `make` where none exists yet.
  template <typename Made, typename Make>
  Made& Find(const std::string& name, Make make) {
    const MutexLock lock(mutex_);
    for (const auto& family : families_) {
      if (family->name() != name) continue;
      auto* const known = dynamic_cast<Made*>(family.get());
      if (known == nullptr) throw std::logic_error(name + " is a metric of another sort already");
      return *known;
    }
    std::unique_ptr<Made> made = make();
    Made& one = *made;
    families_.push_back(std::move(made));
    return one;
  }

  [[nodiscard]] std::string Text() {
    // A scrape is about as long as the scrape before.
    std::string text;
    const MutexLock lock(mutex_);
    text.reserve(last_size_ + last_size_ / 8);
    for (const auto& family : families_) family->AppendText(text);
    last_size_ = text.size();
    return text;
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Family>> families_ GUARDED_BY(mutex_);
  std::size_t last_size_ GUARDED_BY(mutex_) = 0;
};

/// The series of one metric by the values of their labels. The text of name and labels is made
/// once: a scrape appends it and the value.
template <typename One>
class Series final : public Family {
 public:
  Series(const char* name, const char* help, std::vector<MetricLabel> labels,
         const std::vector<std::string>& kinds, std::vector<double> buckets = {})
      : Family(name),
        head_(HeadText(name, help, kType)),
        labels_(std::move(labels)),
        buckets_(std::move(buckets)) {
    ShownLabels shown;
    const MutexLock lock(mutex_);
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
    ShownLabels shown;
    std::size_t index = 0;
    for (const std::string_view value : values) Show(labels_.at(index++), value, shown);
    return *known_.emplace(std::move(key), &Make(shown)).first->second;
  }

  void Clear() {
    const MutexLock lock(mutex_);
    for (Shown& shown : shown_) shown.one->Set(0);
  }

  void AppendText(std::string& text) const override {
    const MutexLock lock(mutex_);
    if (!shown_.empty()) text += head_;
    for (const Shown& shown : shown_) AppendSeries(shown, text);
  }

 private:
  static constexpr bool kIsHistogram = std::is_same_v<One, prometheus::Histogram>;
  static constexpr const char* kType = kIsHistogram                               ? "histogram"
                                       : std::is_same_v<One, prometheus::Counter> ? "counter"
                                                                                  : "gauge";

  /// A series, and the beginnings of its lines: of a histogram those of count, sum and buckets.
  struct Shown {
    std::unique_ptr<One> one;
    std::vector<std::string> lines;
  };

  static void AppendLine(const std::string& line, double value, std::string& text) {
    text += line;
    AppendNumber(value, text);
    text += '\n';
  }

  static void AppendSeries(const Shown& shown, std::string& text) {
    if constexpr (kIsHistogram) {
      const prometheus::ClientMetric now = shown.one->Collect();
      AppendLine(shown.lines.at(0), static_cast<double>(now.histogram.sample_count), text);
      AppendLine(shown.lines.at(1), now.histogram.sample_sum, text);
      std::size_t line = 2;
      for (const auto& bucket : now.histogram.bucket) {
        AppendLine(shown.lines.at(line++), static_cast<double>(bucket.cumulative_count), text);
      }
    } else {
      AppendLine(shown.lines.front(), shown.one->Value(), text);
    }
  }

  /// Makes the series of all values known before, those of `labels_` from `index` on.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are labels
  void Start(const std::vector<std::string>& kinds, std::size_t index, ShownLabels& shown)
      REQUIRES(mutex_) {
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

  static void Show(const MetricLabel& label, std::string_view value, ShownLabels& shown) {
    for (const std::string& name : label.names) {
      shown[name] = label.lower_case ? AsciiLower(value) : std::string(value);
    }
  }

  /// The series with these labels: two values may be shown alike.
  One& Make(const ShownLabels& shown) REQUIRES(mutex_) {
    const std::string labels = LabelText(shown);
    auto [place, is_new] = by_labels_.emplace(labels, nullptr);
    if (!is_new) return *place->second;
    Shown made;
    if constexpr (kIsHistogram) {
      made.one = std::make_unique<One>(buckets_);
      made.lines = {SeriesText(name() + "_count", labels), SeriesText(name() + "_sum", labels)};
      const std::string before = labels.empty() ? "" : labels + ",";
      for (const double bound : buckets_) {
        std::string number;
        AppendNumber(bound, number);
        made.lines.push_back(SeriesText(name() + "_bucket", before + "le=\"" + number + "\""));
      }
      made.lines.push_back(SeriesText(name() + "_bucket", before + "le=\"+Inf\""));
    } else {
      made.one = std::make_unique<One>();
      made.lines = {SeriesText(name(), labels)};
    }
    place->second = made.one.get();
    shown_.push_back(std::move(made));
    return *place->second;
  }

  const std::string head_;
  const std::vector<MetricLabel> labels_;
  const std::vector<double> buckets_;
  mutable Mutex mutex_;
  std::vector<Shown> shown_ GUARDED_BY(mutex_);
  // The series count by themselves.
  std::unordered_map<std::string, One*> known_ GUARDED_BY(mutex_);  ///< By the values asked for.
  std::unordered_map<std::string, One*> by_labels_ GUARDED_BY(mutex_);
};

namespace {

template <typename One>
Series<One>& MakeSeries(MetricRegistry& registry, const char* name, const char* help,
                        std::vector<MetricLabel> labels, std::vector<double> buckets = {}) {
  return registry.families().Find<Series<One>>(name, [&] {
    return std::make_unique<Series<One>>(name, help, std::move(labels), registry.kinds(),
                                         std::move(buckets));
  });
}

}  // namespace

MetricRegistry::MetricRegistry(std::vector<std::string> kinds)
    : kinds_(std::move(kinds)), families_(std::make_unique<Families>()) {}

MetricRegistry::~MetricRegistry() = default;

std::string MetricRegistry::Text() const { return families_->Text(); }

Counter::Counter(MetricRegistry& registry, const char* name, const char* help,
                 std::vector<MetricLabel> labels)
    : series_(MakeSeries<prometheus::Counter>(registry, name, help, std::move(labels))) {}

void Counter::Add(double by, LabelValues series) { series_.Find(series).Increment(by); }

void Counter::Raise(double total, LabelValues series) {
  prometheus::Counter& counter = series_.Find(series);
  counter.Increment(std::max(0.0, total - counter.Value()));
}

Gauge::Gauge(MetricRegistry& registry, const char* name, const char* help,
             std::vector<MetricLabel> labels)
    : series_(MakeSeries<prometheus::Gauge>(registry, name, help, std::move(labels))) {}

void Gauge::SetValue(double value, LabelValues series) { series_.Find(series).Set(value); }
void Gauge::Increment(LabelValues series) { series_.Find(series).Increment(); }
void Gauge::Decrement(LabelValues series) { series_.Find(series).Decrement(); }
void Gauge::Clear() { series_.Clear(); }

Histogram::Histogram(MetricRegistry& registry, const char* name, const char* help,
                     std::vector<MetricLabel> labels, std::vector<double> buckets)
    : series_(MakeSeries<prometheus::Histogram>(registry, name, help, std::move(labels),
                                                std::move(buckets))) {}

void Histogram::Observe(Seconds value, LabelValues series) {
  series_.Find(series).Observe(value.count());
}

}  // namespace bindery::telemetry
