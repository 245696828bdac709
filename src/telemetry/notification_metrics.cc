#include "telemetry/notification_metrics.h"

#include <array>

#include "telemetry/metric_families.h"
#include "telemetry/metric_labels.h"

namespace bindery {
namespace {

using metrics_internal::Counters;
using metrics_internal::Gauges;
using metrics_internal::NewCounters;
using metrics_internal::NewGauges;

constexpr std::array kOutcomes = {"delivered", "repeated", "given_up", "expired", "failed"};

prometheus::Labels Of(const std::string& webhook) { return {{"webhook", webhook}}; }

prometheus::Labels Of(const std::string& webhook, NotificationOutcome outcome) {
  return {{"webhook", webhook}, {"outcome", kOutcomes.at(metrics_internal::Index(outcome))}};
}

}  // namespace

struct NotificationMetrics::Families {
  explicit Families(prometheus::Registry& registry)
      : outcomes(NewCounters(registry, "bindery_notifications_total",
                             "Events by what became of them on their way to a webhook; failed: "
                             "attempts that are made again.")),
        pending(NewGauges(registry, "bindery_notifications_pending",
                          "Events that wait to be told to a webhook.")),
        failing(NewGauges(registry, "bindery_notifications_failing",
                          "1 while a webhook does not accept messages.")),
        last_success(NewGauges(registry, "bindery_notifications_last_success_timestamp_seconds",
                               "When a webhook last accepted a message.")) {}

  Counters& outcomes;
  Gauges& pending;
  Gauges& failing;
  Gauges& last_success;
};

NotificationMetrics::NotificationMetrics(prometheus::Registry& registry)
    : families_(std::make_unique<Families>(registry)) {}

NotificationMetrics::~NotificationMetrics() = default;

void NotificationMetrics::Begin(const std::string& webhook) {
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    families_->outcomes.Add(Of(webhook, static_cast<NotificationOutcome>(i)));
  }
  for (auto* gauges : {&families_->pending, &families_->failing, &families_->last_success}) {
    gauges->Add(Of(webhook));
  }
}

void NotificationMetrics::End(const std::string& webhook) {
  for (auto* gauges : {&families_->pending, &families_->failing}) gauges->Add(Of(webhook)).Set(0);
}

void NotificationMetrics::Count(const std::string& webhook, NotificationOutcome outcome,
                                std::size_t count) {
  families_->outcomes.Add(Of(webhook, outcome)).Increment(static_cast<double>(count));
}

void NotificationMetrics::SetPending(const std::string& webhook, std::size_t count) {
  families_->pending.Add(Of(webhook)).Set(static_cast<double>(count));
}

void NotificationMetrics::SetFailing(const std::string& webhook, bool failing) {
  families_->failing.Add(Of(webhook)).Set(failing ? 1 : 0);
}

void NotificationMetrics::Delivered(const std::string& webhook, WallTime time) {
  const std::chrono::duration<double> since = time.time_since_epoch();
  families_->last_success.Add(Of(webhook)).Set(since.count());
}

}  // namespace bindery
