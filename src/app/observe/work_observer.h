#pragma once

#include <map>
#include <memory>
#include <utility>

#include "app/observe/activity.h"
#include "app/observe/hour_tally.h"
#include "controller/outbox/engine_observer.h"
#include "core/base/clock.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"
#include "telemetry/span.h"

namespace bindery::app {

/// Shows what the engine does: one log line an outcome, metrics, spans, and samples for charts. On
/// the loop thread.
class WorkObserver final : public controller::EngineObserver {
 public:
  /// All must outlive the object.
  WorkObserver(telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock)
      : log_(log), metrics_(metrics), clock_(clock) {}

  void Worked(const controller::TargetReport& report) override;
  void Happened(const Event& event) override;
  void DriftFound(const Target& target, const DriftItem& item) override;
  void DriftCorrected(const Target& target, const DriftItem& item) override;
  void DriftGone(const Target& /*target*/) override { changed_ = true; }
  void WriteContested(const Target& target) override;
  void PolicyRead(const Target& target, bool etag_only) override;
  void CheckedElsewhere(const Target& target, controller::LentAnswer answer) override;
  void Queued(const Target& target, bool retry) override;
  void Taken(const Target& target, std::chrono::nanoseconds waited) override;
  void PassJudged(const controller::PassReport& pass) override;

  /// Where spans of sampled work go; null: nowhere. Set before the loop begins.
  void TraceTo(std::shared_ptr<telemetry::SpanSink> spans) { spans_ = std::move(spans); }

  /// The content of a report has changed since the last call.
  [[nodiscard]] bool TakeChanged() { return std::exchange(changed_, false); }
  [[nodiscard]] Activity& activity() { return activity_; }
  [[nodiscard]] HourTally& hours() { return hours_; }

 private:
  void CountWork(const controller::TargetReport& report);
  [[nodiscard]] bool IsNews(const controller::TargetReport& report);
  void RecordWork(const controller::TargetReport& report);
  /// A span of work from `started` until now.
  [[nodiscard]] telemetry::Span SpanSince(MonoTime started,
                                          const telemetry::TraceContext& trace) const;

  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;
  Activity activity_;
  HourTally hours_;
  bool changed_ = false;
  std::shared_ptr<telemetry::SpanSink> spans_;
  std::map<Target, WorkAction> standing_;  ///< Held or only observed, and told to be.
};

}  // namespace bindery::app
