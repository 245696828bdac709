#pragma once

#include <functional>
#include <memory>

#include "app/audit_feed.h"
#include "app/observe/run_telemetry.h"
#include "app/report_writer.h"
#include "config/config.h"
#include "notify/notifier.h"
#include "store/store.h"

namespace bindery {

/// Reports to people what is on record: messages to webhooks, drift reports, and the entries of
/// audit logs that these name as causes. Each works on threads of its own beside the loop.
///
/// In the order of the calls: constructed with the store, Start() before the loop runs, Finish()
/// after it. With `once` there is one report, at the end.
class Reporting {
 public:
  /// Both must outlive it. Nobody is told before Configure().
  Reporting(Store& store, RunTelemetry& run, bool once);

  /// As notify::Notifier::Waker.
  [[nodiscard]] std::function<void()> Waker() const { return notifier_->Waker(); }

  /// Takes over a configuration, the first one or another.
  void Configure(const Config& config);

  /// Writes reports and reads audit logs from now on.
  void Start(const Config& config);

  /// Ends everything. False when a report that was asked for could not be written.
  [[nodiscard]] bool Finish(const Config& config);

 private:
  Store& store_;
  RunTelemetry& run_;
  const bool once_;
  std::unique_ptr<notify::Notifier> notifier_;
  std::unique_ptr<ReportWriter> reports_;
  std::unique_ptr<AuditFeed> audit_feed_;
};

}  // namespace bindery
