#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "app/reporting/report_schedule.h"
#include "config/config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/protected_principals.h"
#include "report/forms/report_folder.h"
#include "report/values/report_scopes.h"
#include "store/ports/report_reader.h"
#include "store/ports/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// The same for reports that are written, printed and served.
[[nodiscard]] inline report::DriftSettings MakeDriftSettings(const config::Config& config) {
  const auto principals = std::make_shared<const ProtectedPrincipals>(config.protected_principals);
  return {config.reports.directory,
          config.reconcile.mode,
          config.reconcile.EarliestExpiryWarning(),
          !config.attribution.directory.empty(),
          config.manifests.repository_url,
          {principals, config.targets,
           std::make_shared<const AcceptedDriftRules>(config.drift.accept)}};
}

/// Writes drift reports into their folder by ReportSchedule: after passes with changes, and after a
/// long time without a report. On a separate thread, at low priority, so that nothing waits. A
/// request during the writing leads to one more report.
class ReportWriter {
 public:
  struct Settings {
    config::ReportsConfig reports;
    Mode mode = Mode::kEnforce;  ///< As in DriftSettings, and the next.
    std::chrono::milliseconds expiring_within = report::DriftSettings().expiring_within;
    bool attribution = false;
    bool low_priority = true;  ///< Of its thread, from the start on.
  };

  /// The used parts of the store.
  struct Storage {
    store::StateWriter& writer;
    const store::ReportReader& reader;
    /// As DriftSettings::unmanaged.
    std::function<std::shared_ptr<const report::UnmanagedGrants>()> unmanaged = {};
  };

  /// All must outlive the object.
  ReportWriter(Storage store, telemetry::Logger& log, telemetry::Metrics& metrics,
               const Clock& clock, Settings settings);
  /// Ends without what is still to be written. A report in work is dropped: a later process writes
  /// it, as its changes are on record. Reads of the store are waited for: Store::EndReads().
  ~ReportWriter();
  ReportWriter(const ReportWriter&) = delete;
  ReportWriter& operator=(const ReportWriter&) = delete;

  // From any thread; neither blocks.

  void Configure(Settings settings);
  /// Requests a report of the state at the time.
  void Request(WallTime time);
  /// The same at the start, unless the newest report is younger than all that is on record.
  void RequestIfUnreported(WallTime time);

  /// Writes the request, once at most, and ends. False when that failed.
  [[nodiscard]] bool Finish();

 private:
  void Run();
  /// Without the lock: may take long.
  [[nodiscard]] Expected<void> Write(const Settings& settings, WallTime time) const;
  [[nodiscard]] report::ReportFolder GetFolder(const config::ReportsConfig& config) const;
  /// Without the lock.
  [[nodiscard]] bool HasUnreported(const config::ReportsConfig& config) const;
  void FindOut(WallTime time) REQUIRES(mutex_);
  void WriteDue() REQUIRES(mutex_);
  void Tell(const Expected<void>& written, WallTime time);
  void PlanNext() REQUIRES(mutex_);
  void End(bool at_once);

  const Storage store_;
  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;

  Mutex mutex_;
  CondVar wake_;
  Settings settings_ GUARDED_BY(mutex_);
  ReportSchedule schedule_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> at_once_ = false;  ///< What is being written is not wanted any more.

  std::string last_error_;  ///< The thread's own.
  std::thread thread_;
};

}  // namespace bindery::app
