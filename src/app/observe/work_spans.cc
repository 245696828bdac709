// The engine's actions as spans.

#include "app/observe/work_observer.h"

namespace bindery::app {
namespace {

std::int64_t QueuedMillis(const controller::TargetReport& report) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(report.queued).count();
}

}  // namespace

telemetry::Span WorkObserver::SpanSince(MonoTime started,
                                        const telemetry::TraceContext& trace) const {
  telemetry::Span span;
  span.context = trace;
  span.end = clock_.Wall();
  span.start = span.end - std::chrono::duration_cast<WallTime::duration>(clock_.Mono() - started);
  return span;
}

void WorkObserver::RecordWork(const controller::TargetReport& report) {
  telemetry::Span span = SpanSince(report.started, report.trace);
  span.parent = report.trace_parent;
  span.name = "reconcile " + report.target.kind.str();
  span.attributes = {
      {"bindery.target", report.target.name},
      {"bindery.kind", report.target.kind},
      {"bindery.provider", std::string(report.provider)},
      {"bindery.resources", report.resources},
      {"bindery.trigger", std::string(ToString(report.trigger))},
      {"bindery.outcome", std::string(ToString(report.action))},
      {"bindery.queued_ms", QueuedMillis(report)},
      {"bindery.grants.added", static_cast<std::int64_t>(report.written.adds)},
      {"bindery.grants.removed", static_cast<std::int64_t>(report.written.removes)},
      {"bindery.grants.replaced", static_cast<std::int64_t>(report.written.replaces)}};
  if (report.pass.valid()) span.links.push_back(report.pass);
  span.failed = report.error.has_value();
  if (report.error)
    span.attributes.emplace_back("error.type", std::string(ToString(*report.error)));
  spans_->Record(std::move(span));
}

void WorkObserver::PassJudged(const controller::PassReport& pass) {
  if (!pass.trace.sampled || spans_ == nullptr) return;
  telemetry::Span span = SpanSince(pass.started, pass.trace);
  span.name = "pass";
  span.attributes = {{"bindery.pass.targets", static_cast<std::int64_t>(pass.targets)},
                     {"bindery.pass.unread", static_cast<std::int64_t>(pass.unread)}};
  spans_->Record(std::move(span));
}

}  // namespace bindery::app
