#pragma once

#include <chrono>
#include <thread>

#include "app/reporting/audit_intake.h"
#include "config/config.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "store/ports/audit_progress.h"
#include "store/ports/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// Reads the folder of audit logs into the store at an interval, on a separate thread.
class AuditFeed {
 public:
  struct Settings {
    config::AttributionConfig attribution;
    std::chrono::milliseconds keep;  ///< Older entries are not taken.
  };

  /// All must outlive the object. Nothing is read before Start() or ReadNow().
  AuditFeed(store::StateWriter& writer, const store::AuditProgress& progress,
            telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock,
            Settings settings);
  /// Ends after the present piece.
  ~AuditFeed();
  AuditFeed(const AuditFeed&) = delete;
  AuditFeed& operator=(const AuditFeed&) = delete;

  /// Reads from now on.
  void Start();

  /// From any thread; does not block.
  void Configure(Settings settings);

  /// Reads all there is now, on the caller's thread. Requires: not started.
  void ReadNow();

 private:
  void Run();

  AuditIntake intake_;  ///< The thread's own once it was started.

  Mutex mutex_;
  CondVar wake_;
  Settings settings_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace bindery::app
