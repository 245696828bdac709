// The engine's actions as spans.

#include "app/observe/work_observer.h"

namespace bindery {
namespace {

std::int64_t QueuedMillis(const TargetReport& report) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(report.queued).count();
}

}  // namespace

Span WorkObserver::SpanSince(MonoTime started, const TraceContext& trace) const {
  Span span;
  span.context = trace;
  span.end = clock_.Wall();
  span.start = span.end - std::chrono::duration_cast<WallTime::duration>(clock_.Mono() - started);
  return span;
}

void WorkObserver::RecordWork(const TargetReport& report) {
  Span span = SpanSince(report.started, report.trace);
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

void WorkObserver::PassJudged(const PassReport& pass) {
  if (!pass.trace.sampled || spans_ == nullptr) return;
  Span span = SpanSince(pass.started, pass.trace);
  span.name = "pass";
  span.attributes = {{"bindery.pass.targets", static_cast<std::int64_t>(pass.targets)},
                     {"bindery.pass.unread", static_cast<std::int64_t>(pass.unread)}};
  spans_->Record(std::move(span));
}

}  // namespace bindery
