#include "app/run/reporting.h"

#include <utility>

#include "app/clouds/webhooks.h"
#include "app/run/daemon_settings.h"

namespace bindery::app {

Reporting::Reporting(store::Store& store, RunTelemetry& run, bool once, Unmanaged unmanaged)
    : store_(store),
      run_(run),
      once_(once),
      unmanaged_(std::move(unmanaged)),
      notifier_(std::make_unique<notify::Notifier>(
          notify::Services{store, store, run.log, run.metrics.notifications, run.clock})) {}

void Reporting::Configure(const config::Config& config) {
  if (reports_ != nullptr) reports_->Configure(MakeReportSettings(config, once_));
  if (audit_feed_ != nullptr) audit_feed_->Configure(MakeAuditFeedSettings(config));
  const notify::NotifierSettings settings = MakeNotifierSettings(config);
  for (const std::string& warning : notify::WebhookWarnings(settings)) run_.log.Warn(warning);
  notifier_->Configure(settings);
}

void Reporting::Start(const config::Config& config) {
  reports_ =
      std::make_unique<ReportWriter>(ReportWriter::Storage{store_, store_, unmanaged_}, run_.log,
                                     run_.metrics, run_.clock, MakeReportSettings(config, once_));
  audit_feed_ = std::make_unique<AuditFeed>(store_, store_, run_.log, run_.metrics, run_.clock,
                                            MakeAuditFeedSettings(config));
  if (once_) return;
  audit_feed_->Start();
  run_.observer.OnPassOver([this](WallTime time, bool changed) {
    changed ? reports_->Request(time) : reports_->RequestIfUnreported(time);
  });
}

bool Reporting::FinishOnce(const config::Config& config) {
  audit_feed_->ReadNow();
  reports_->Request(run_.clock.Wall());
  const bool reported = reports_->Finish();
  audit_feed_.reset();
  notifier_->Finish(config.reconcile.shutdown_timeout);
  notifier_.reset();
  return reported;
}

void Reporting::Stop() {
  store_.EndReads();
  reports_.reset();
  audit_feed_.reset();
  notifier_.reset();
}

}  // namespace bindery::app
