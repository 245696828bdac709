#pragma once

#include "core/base/clock.h"
#include "store/ports/journal_reader.h"
#include "store/ports/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/notification_metrics.h"

namespace bindery::notify {

/// The collaborators of deliveries. All outlive the deliveries.
struct Services {
  store::StateWriter& writer;
  const store::JournalReader& journal;
  telemetry::Logger& log;
  telemetry::NotificationMetrics& metrics;
  const Clock& clock;
};

}  // namespace bindery::notify
