#include "app/observe/work_observer.h"

#include <string>

namespace bindery::app {
namespace {

std::int64_t ToMillis(std::chrono::nanoseconds duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

}  // namespace

void WorkObserver::Queued(const Target& target, bool retry) {
  metrics_.queue.adds.Increment({target.kind.str()});
  if (retry) metrics_.queue.retries.Increment({target.kind.str()});
}

void WorkObserver::Taken(const Target& target, std::chrono::nanoseconds waited) {
  metrics_.queue.waiting_time.Observe(waited, {target.kind.str()});
  metrics_.reconciles.active_workers.Increment({target.kind.str()});
  activity_.WorkBegan(clock_.Mono());
}

void WorkObserver::Worked(const controller::TargetReport& report) {
  const std::string& kind = report.target.kind;
  activity_.WorkEnded(clock_.Mono());
  CountWork(report);
  changed_ = changed_ || report.action == WorkAction::kWritten;

  if (report.trace.sampled && spans_ != nullptr) RecordWork(report);

  const bool news = report.action != WorkAction::kUnchanged && IsNews(report);
  const LogLevel level = report.action == WorkAction::kFailed ? LogLevel::kWarn
                         : news                               ? LogLevel::kInfo
                                                              : LogLevel::kDebug;
  if (level < log_.level()) return;
  const std::string line = "target " + std::string(ToString(report.action));
  const telemetry::LogFields fields = {{"target", report.target.name},
                                       {"kind", kind},
                                       {"resource", report.resources},
                                       {"reason", report.message},
                                       {"durationMs", ToMillis(report.duration)}};
  log_.Write(level, line, fields);
}

void WorkObserver::CountWork(const controller::TargetReport& report) {
  const std::string& kind = report.target.kind;
  metrics_.queue.work_duration.Observe(report.duration, {kind});
  metrics_.reconciles.active_workers.Decrement({kind});
  metrics_.reconciles.total.Increment({kind, ToString(report.result)});
  metrics_.reconciles.time.Observe(report.duration, {kind});
  if (report.result == WorkResult::kError) {
    metrics_.reconciles.errors.Increment({kind});
    hours_.Failed();
  }
  if (report.action == WorkAction::kWritten) hours_.Written();
  if (report.error && IsTerminal(*report.error)) {
    metrics_.reconciles.terminal_errors.Increment({kind});
  }
  if (report.unexpected) metrics_.reconciles.panics.Increment({kind});
  if (report.error == Code::kDeadlineExceeded) metrics_.reconciles.timeouts.Increment({kind});
  if (report.lateness.count() > 0) metrics_.observations.lateness.Observe(report.lateness, {kind});
}

/// What stays unchanged from check to check is told once.
bool WorkObserver::IsNews(const controller::TargetReport& report) {
  if (report.action != WorkAction::kHeld && report.action != WorkAction::kObserved) {
    if (!standing_.empty()) standing_.erase(report.target);
    return true;
  }
  return std::exchange(standing_[report.target], report.action) != report.action;
}

void WorkObserver::Happened(const Event& event) {
  // A waiting, released or decided removal: a report shows it.
  changed_ = changed_ || event.reason.starts_with("Guard");
  // Worked() reports these in a separate line.
  if (event.reason == "PolicyWritten") return;
  LogLevel level = LogLevel::kInfo;
  if (event.type == EventType::kWarning) {
    level = LogLevel::kWarn;
  } else if (event.reason == "ManifestAccepted") {
    // One line for every manifest at the first start: "manifests loaded" sums them up.
    level = LogLevel::kDebug;
  }
  if (level < log_.level()) return;
  const telemetry::LogFields fields = {{"event", event.reason},
                                       {"resource", event.resource},
                                       {"target", event.target},
                                       {"actor", event.actor}};
  log_.Write(level, event.message, fields);
}

void WorkObserver::DriftFound(const Target& target, const DriftItem& item) {
  changed_ = true;
  if (item.cause != DriftCause::kManifest) hours_.Found();
  metrics_.drift.found.Increment({target.kind.str(), ToString(item.drift_class),
                                  ToString(item.severity), ToString(item.cause)});
  if (LogLevel::kDebug < log_.level()) return;
  log_.Debug("drift", {{"target", target.name},
                       {"class", ToString(item.drift_class)},
                       {"severity", ToString(item.severity)},
                       {"cause", ToString(item.cause)},
                       {"role", item.grant.role},
                       {"principal", item.grant.principal},
                       {"resource", item.resource}});
}

void WorkObserver::DriftCorrected(const Target& target, const DriftItem& item) {
  changed_ = true;
  metrics_.drift.corrected.Increment({target.kind.str(), ToString(item.drift_class),
                                      ToString(item.severity), ToString(item.cause)});
}

void WorkObserver::WriteContested(const Target& target) {
  metrics_.observations.contested_writes.Increment({target.kind.str()});
}

void WorkObserver::CheckedElsewhere(const Target& target, controller::LentAnswer answer) {
  const std::string& kind = target.kind.str();
  metrics_.observations.shared_checks.Increment({kind, controller::ToString(answer)});
  if (answer != controller::LentAnswer::kSame) return;  // The work that follows is counted.
  activity_.WorkEnded(clock_.Mono());
  metrics_.reconciles.total.Increment({kind, ToString(WorkResult::kRequeueAfter)});
}

void WorkObserver::PolicyRead(const Target& target, bool etag_only) {
  metrics_.observations.policy_reads.Increment({target.kind.str(), etag_only ? "etag" : "full"});
}

}  // namespace bindery::app
