#include "telemetry/notification_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <array>

namespace bindery {
namespace {

constexpr std::array kOutcomes = {"delivered", "repeated", "given_up", "expired", "failed"};

prometheus::Labels Of(const std::string& webhook) { return {{"webhook", webhook}}; }

prometheus::Labels Of(const std::string& webhook, NotificationOutcome outcome) {
  return {{"webhook", webhook}, {"outcome", kOutcomes.at(static_cast<std::size_t>(outcome))}};
}

}  // namespace

struct NotificationMetrics::Families {
  explicit Families(prometheus::Registry& registry)
      : outcomes(prometheus::BuildCounter()
                     .Name("bindery_notifications_total")
                     .Help("Events by what became of them on their way to a webhook; failed: "
                           "attempts that are made again.")
                     .Register(registry)),
        pending(prometheus::BuildGauge()
                    .Name("bindery_notifications_pending")
                    .Help("Events that wait to be told to a webhook.")
                    .Register(registry)),
        failing(prometheus::BuildGauge()
                    .Name("bindery_notifications_failing")
                    .Help("1 while a webhook does not accept messages.")
                    .Register(registry)),
        last_success(prometheus::BuildGauge()
                         .Name("bindery_notifications_last_success_timestamp_seconds")
                         .Help("When a webhook last accepted a message.")
                         .Register(registry)) {}

  prometheus::Family<prometheus::Counter>& outcomes;
  prometheus::Family<prometheus::Gauge>& pending;
  prometheus::Family<prometheus::Gauge>& failing;
  prometheus::Family<prometheus::Gauge>& last_success;
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
