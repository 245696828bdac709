#pragma once

#include "core/base/clock.h"
#include "store/ports/journal_reader.h"
#include "store/ports/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/notification_metrics.h"

namespace bindery::notify {

/// The collaborators of deliveries. All outlive the deliveries.
struct Services {
  StateWriter& writer;
  const JournalReader& journal;
  Logger& log;
  NotificationMetrics& metrics;
  const Clock& clock;
};

}  // namespace bindery::notify
