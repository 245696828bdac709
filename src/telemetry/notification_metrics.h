#pragma once

#include <array>
#include <string_view>

#include "telemetry/metric.h"
#include "telemetry/metric_shapes.h"

namespace bindery::telemetry {

/// The outcome of events on their way to a webhook. Each event has one final outcome; kFailed
/// counts attempts.
enum class NotificationOutcome {
  kDelivered,
  kRepeated,  ///< The same was told within repeatInterval.
  kGivenUp,   ///< Refused for too long.
  kExpired,   ///< Deleted by the retention before it could be told.
  kFailed,    ///< An attempt that will be made again.
};
inline constexpr std::array kAllNotificationOutcomes = {
    NotificationOutcome::kDelivered, NotificationOutcome::kRepeated, NotificationOutcome::kGivenUp,
    NotificationOutcome::kExpired, NotificationOutcome::kFailed};
[[nodiscard]] std::string_view ToString(NotificationOutcome outcome);

/// Events on their way to webhooks, labelled by the webhooks' names in the configuration.
struct NotificationMetrics {
  MetricRegistry& registry;

  Counter events{registry,
                 "bindery_notifications_total",
                 "Events by what became of them on their way to a webhook; failed: attempts "
                 "that are made again.",
                 {label::Of("webhook"), label::Outcome()}};
  Gauge pending{registry,
                "bindery_notifications_pending",
                "Events that wait to be told to a webhook.",
                {label::Of("webhook")}};
  Gauge failing{registry,
                "bindery_notifications_failing",
                "1 while a webhook does not accept messages.",
                {label::Of("webhook")}};
  Gauge last_success{registry,
                     "bindery_notifications_last_success_timestamp_seconds",
                     "When a webhook last accepted a message.",
                     {label::Of("webhook")}};
};

}  // namespace bindery::telemetry
