#include "telemetry/notification_metrics.h"

namespace bindery::telemetry {

std::string_view ToString(NotificationOutcome outcome) {
  switch (outcome) {
    case NotificationOutcome::kDelivered:
      return "delivered";
    case NotificationOutcome::kRepeated:
      return "repeated";
    case NotificationOutcome::kGivenUp:
      return "given_up";
    case NotificationOutcome::kExpired:
      return "expired";
    case NotificationOutcome::kFailed:
      break;
  }
  return "failed";
}

}  // namespace bindery::telemetry
