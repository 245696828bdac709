#pragma once

#include <functional>
#include <memory>

#include "app/observe/run_telemetry.h"
#include "app/reporting/audit_feed.h"
#include "app/reporting/report_writer.h"
#include "config/config.h"
#include "notify/notifier.h"
#include "report/values/report_scopes.h"
#include "store/ports/store.h"

namespace bindery::app {

/// Reports to people the recorded state: messages to webhooks, drift reports, and the entries of
/// audit logs that these name as causes. Each works on threads of its own beside the loop.
///
/// In the order of the calls: constructed with the store, Start() before the loop runs,
/// FinishOnce() or Stop() after it. With `once` there is one report, at the end.
class Reporting {
 public:
  /// As DriftSettings::unmanaged.
  using Unmanaged = std::function<std::shared_ptr<const report::UnmanagedGrants>()>;

  /// All must outlive the object. Nobody is told before Configure().
  Reporting(store::Store& store, RunTelemetry& run, bool once, Unmanaged unmanaged);

  /// As notify::Notifier::Waker.
  [[nodiscard]] std::function<void()> Waker() const { return notifier_->Waker(); }

  /// Takes over a configuration, the first or a later one.
  void Configure(const config::Config& config);

  /// Writes reports and reads audit logs from now on.
  void Start(const config::Config& config);

  /// Ends one pass: what it found is written and told before. False when the report could not be
  /// written.
  [[nodiscard]] bool FinishOnce(const config::Config& config);

  /// Ends a daemon: what is still to be written or told, the next start writes and tells. Reads of
  /// the store end, everybody's.
  void Stop();

 private:
  store::Store& store_;
  RunTelemetry& run_;
  const bool once_;
  const Unmanaged unmanaged_;
  std::unique_ptr<notify::Notifier> notifier_;
  std::unique_ptr<ReportWriter> reports_;
  std::unique_ptr<AuditFeed> audit_feed_;
};

}  // namespace bindery::app
